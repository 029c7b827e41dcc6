import type { CommandProblem } from "./terminal.ts";

/** An error of a command, with a message for the caller. */
export class CommandError extends Error {
  readonly problem: CommandProblem;

  constructor(problem: CommandProblem) {
    super(problem.message);
    this.name = "CommandError";
    this.problem = problem;
  }
}
