import type { CommandProblem } from "./terminal.ts";

/** An error of a command that talks to a server, with a message for the caller. */
export class RemoteProblem extends Error {
  readonly problem: CommandProblem;

  constructor(problem: CommandProblem) {
    super(problem.message);
    this.name = "RemoteProblem";
    this.problem = problem;
  }
}
