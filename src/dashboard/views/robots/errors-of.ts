/** Something that is wrong with a robot, as it reports it. */
export type RobotError = { type: string; level: string; description: string | null; hint: string | null };

const LEVELS = ["fatal", "critical", "urgent", "warning"];

/** Reads a robot's errors, the worst first. What is none is left out. */
export function errorsOf(reported: unknown): RobotError[] {
  if (!Array.isArray(reported)) return [];
  return reported
    .flatMap(errorOf)
    .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

function errorOf(reported: unknown): RobotError[] {
  if (typeof reported !== "object" || reported === null) return [];
  const { type, level, description, hint }: Record<string, unknown> = { ...reported };
  if (typeof type !== "string" || typeof level !== "string") return [];
  return [{ type, level, description: textOf(description), hint: textOf(hint) }];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
