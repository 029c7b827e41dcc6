import { z } from "zod";
import { LIMITS } from "../kernel/limits.ts";

export const BUILT_IN_COMMANDS = [
  "agent.pause",
  "agent.resume",
  "agent.stop",
  "agent.restart",
  "agent.reload_config",
  "task.cancel",
  "mission.start",
  "mission.pause",
  "mission.resume",
  "mission.cancel",
  "mission.retry_step",
  "mission.skip_step",
  "robot.stop",
  "robot.dock",
  "robot.localize",
] as const;

/** Commands that only make an agent do less. They need not be declared by the agent. */
export const DE_ESCALATING: ReadonlySet<string> = new Set([
  "agent.pause",
  "agent.stop",
  "mission.pause",
  "mission.cancel",
  "task.cancel",
  "robot.stop",
]);

/**
 * Commands that decide whether an agent may work. They are always urgent, so none overtakes another and the
 * latest one applies.
 */
export const CONTROL_COMMANDS: ReadonlySet<string> = new Set(["agent.pause", "agent.resume", "agent.stop"]);

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_COMMANDS);

/** A type that agents define, such as `custom.open_gripper`. */
export const CUSTOM_COMMAND = /^custom\.[a-z0-9][a-z0-9._-]*$/;

/** A command's type, built-in or custom. */
export const commandType = z
  .string()
  .max(LIMITS.commandTypeLength, `must have at most ${LIMITS.commandTypeLength} characters`)
  .refine(
    (type) => BUILT_IN.has(type) || CUSTOM_COMMAND.test(type),
    `must be one of ${BUILT_IN_COMMANDS.join(", ")}, or custom. followed by a-z, 0-9, dots, underscores or dashes`,
  );

/** Whether a command only makes its agent do less. It is then never rejected for what the agent declares. */
export function isDeEscalating(type: string): boolean {
  return DE_ESCALATING.has(type);
}
