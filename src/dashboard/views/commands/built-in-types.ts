/** Built-in command types with descriptions. */
export const BUILT_IN_TYPES: Readonly<Record<string, string>> = {
  "agent.pause": "Takes no new work until resumed.",
  "agent.resume": "Takes work again.",
  "agent.stop": "Stops all work and takes no new work until resumed.",
  "agent.restart": "Restarts.",
  "agent.reload_config": "Reloads its configuration.",
  "task.cancel": "Cancels a task.",
  "mission.start": "Starts a mission.",
  "mission.pause": "Pauses its mission.",
  "mission.resume": "Resumes its mission.",
  "mission.cancel": "Cancels its mission.",
  "mission.retry_step": "Retries a step of its mission.",
  "mission.skip_step": "Skips a step of its mission.",
  "robot.stop": "Stops moving. Not a safety function.",
  "robot.dock": "Drives to its dock.",
  "robot.localize": "Determines its position.",
};
