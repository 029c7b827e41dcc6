import type { CommandProblem } from "./terminal.ts";

/** Thrown where a command that talks to a service can't go on, in words for whoever called it. */
export class RemoteProblem extends Error {
  readonly problem: CommandProblem;

  constructor(problem: CommandProblem) {
    super(problem.message);
    this.name = "RemoteProblem";
    this.problem = problem;
  }
}
