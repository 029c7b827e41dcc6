import { Command, CommanderError } from "commander";
import { addAuditCommands } from "./audit.ts";
import { addDemoCommand } from "./demo.ts";
import { addEvalCommand } from "./eval.ts";
import { addKeyCommands } from "./key.ts";
import { type Run, runCommand } from "./run-command.ts";
import { runRemote } from "./run-remote.ts";
import { addScimTokenCommands } from "./scim-token.ts";
import { type Terminal, printProblem } from "./terminal.ts";
import { addUserCommands } from "./user.ts";
import { addWorkspaceCommands } from "./workspace.ts";

const USAGE_EXIT_CODE = 2;

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code: 0, 1 for a failure, 2 for wrong usage, more after a signal.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(terminal, (work) => async (options) => {
    exitCode = await runCommand(terminal, (operation) => work(operation, options));
  });
  addEvalCommand(program, async (work) => {
    exitCode = await runRemote(terminal, work);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander throws for --help too, with 0.
    if (error.exitCode === 0) return 0;
    printProblem(terminal, { code: "wrong_usage", message: usageMessage(error) });
    return USAGE_EXIT_CODE;
  }
}

function createProgram(terminal: Terminal, run: Run): Command {
  const program = new Command("agent-ops")
    .description("Workspaces, people and credentials of Agent Ops, beside a running server or without one.")
    .option("--json", "print one JSON object and nothing else")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: terminal.stdout,
      // The help that follows a missing command; in JSON there is no place for it.
      writeErr: terminal.json ? () => {} : terminal.stderr,
      // What is wrong is printed above, in one form for people and one for programs.
      outputError: () => {},
    })
    .exitOverride();
  addWorkspaceCommands(program, run);
  addUserCommands(program, run);
  addKeyCommands(program, run);
  addScimTokenCommands(program, run);
  addAuditCommands(program, run);
  addDemoCommand(program, run);
  return program;
}

function usageMessage({ code, message }: CommanderError): string {
  if (code === "commander.help") return "a command is missing, see --help";
  return message.replace(/^error: /, "").replaceAll("\n", " ");
}
