/** The types of commands that the service knows by name, and what each does. */
export const BUILT_IN_TYPES: Readonly<Record<string, string>> = {
  "agent.pause": "Takes no new work until it is resumed.",
  "agent.resume": "Takes work again.",
  "agent.stop": "Stops what it does and takes no work until it is resumed.",
  "agent.restart": "Starts anew.",
  "agent.reload_config": "Reads its settings again.",
  "task.cancel": "Gives up a task.",
  "mission.start": "Begins a mission.",
  "mission.pause": "Halts its mission.",
  "mission.resume": "Goes on with its mission.",
  "mission.cancel": "Gives up its mission.",
  "mission.retry_step": "Tries a step of its mission again.",
  "mission.skip_step": "Leaves out a step of its mission.",
  "robot.stop": "Halts where it is. No safety function.",
  "robot.dock": "Goes to its dock.",
  "robot.localize": "Finds out where it is.",
};
