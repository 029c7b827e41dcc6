/** An error reported by a robot. */
export type RobotError = { type: string; level: string; description: string | null; hint: string | null };

const LEVELS = ["fatal", "critical", "urgent", "warning"];

/** Parses a robot's errors, worst first. Invalid ones are omitted. */
export function parseErrors(reported: unknown): RobotError[] {
  if (!Array.isArray(reported)) return [];
  return reported
    .flatMap(parseError)
    .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

function parseError(reported: unknown): RobotError[] {
  if (typeof reported !== "object" || reported === null) return [];
  const { type, level, description, hint }: Record<string, unknown> = { ...reported };
  if (typeof type !== "string" || typeof level !== "string") return [];
  return [{ type, level, description: toText(description), hint: toText(hint) }];
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
