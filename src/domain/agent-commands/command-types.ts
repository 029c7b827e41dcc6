import { z } from "zod";
import { LIMITS } from "../kernel/limits.ts";

/** The types of commands that the service knows by name. */
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

/** What only ever makes an agent do less. Nothing that an agent has declared stands in its way. */
const DE_ESCALATING: ReadonlySet<string> = new Set([
  "agent.pause",
  "agent.stop",
  "mission.pause",
  "mission.cancel",
  "task.cancel",
  "robot.stop",
]);

/**
 * What tells an agent whether to go on. They are always urgent, so that none overtakes another: what an agent
 * was told last is what holds.
 */
export const CONTROL_COMMANDS: ReadonlySet<string> = new Set(["agent.pause", "agent.resume", "agent.stop"]);

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_COMMANDS);

/** A name of the agent's own trade, such as `custom.open_gripper`. */
export const CUSTOM_COMMAND = /^custom\.[a-z0-9][a-z0-9._-]*$/;

/** A command's type: built in, or of the agent's own. */
export const commandType = z
  .string()
  .max(LIMITS.commandTypeLength, `must have at most ${LIMITS.commandTypeLength} characters`)
  .refine(
    (type) => BUILT_IN.has(type) || CUSTOM_COMMAND.test(type),
    `must be one of ${BUILT_IN_COMMANDS.join(", ")}, or custom. and a name of a-z, 0-9, dot, underscore or dash`,
  );

/** Whether a command only makes its agent do less: it is never refused for what the agent has declared. */
export function isDeEscalating(type: string): boolean {
  return DE_ESCALATING.has(type);
}
