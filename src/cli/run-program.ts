import { Command, CommanderError } from "commander";
import { readVersion } from "../config/version.ts";
import { addAuditCommands } from "./audit.ts";
import { addDemoCommand } from "./demo.ts";
import { addEvalCommand } from "./eval.ts";
import { addKeyCommands } from "./key.ts";
import type { CreateAction } from "./run-command.ts";
import { addScimTokenCommands } from "./scim-token.ts";
import { type Terminal, printProblem } from "./terminal.ts";
import { addUserCommands } from "./user.ts";
import { addWorkspaceCommands } from "./workspace.ts";

const USAGE_EXIT_CODE = 2;

/**
 * Runs the command that the arguments name. What it takes is loaded then: help and usage are there at once.
 *
 * @returns the exit code: 0, 1 for a failure, 2 for wrong usage, more after a signal.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  let shown = "";
  const program = createProgram(terminal, (text) => void (shown += text));
  addCommands(program, (load) => async (options) => {
    const [{ runCommand }, work] = await Promise.all([import("./run-command.ts"), load()]);
    exitCode = await runCommand(terminal, (operation) => work(operation, options));
  });
  addEvalCommand(program, async (load) => {
    const [{ runRemote }, work] = await Promise.all([import("./run-remote.ts"), load()]);
    exitCode = await runRemote(terminal, work);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander throws for --help and --version too, with 0.
    if (error.exitCode === 0) {
      const name = error.code === "commander.version" ? "version" : "help";
      terminal.stdout(terminal.json ? `${JSON.stringify({ [name]: shown.trim() })}\n` : shown);
      return 0;
    }
    printProblem(terminal, { code: "wrong_usage", message: usageMessage(error) });
    return USAGE_EXIT_CODE;
  }
}

function createProgram(terminal: Terminal, show: (text: string) => void): Command {
  return new Command("agent-ops")
    .description("Workspaces, people and credentials of Agent Ops, beside a running server or without one.")
    .option("--json", "print one JSON object and nothing else")
    .version(readVersion(), "--version", "print the version")
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: listLeaves,
      subcommandTerm: (command) => listWords(command).join(" "),
    })
    .configureOutput({
      writeOut: show,
      // The help that follows a missing command; in JSON there is no place for it.
      writeErr: terminal.json ? () => {} : terminal.stderr,
      // What is wrong is printed above, in one form for people and one for programs.
      outputError: () => {},
    })
    .exitOverride();
}

/** The commands that do something, at any depth. */
function listLeaves({ commands }: Command): Command[] {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : listLeaves(command)));
}

/** What is typed to call a command, without the program's name. */
function listWords(command: Command): string[] {
  return command.parent === null ? [] : [...listWords(command.parent), command.name()];
}

function addCommands(program: Command, run: CreateAction): void {
  addWorkspaceCommands(program, run);
  addUserCommands(program, run);
  addKeyCommands(program, run);
  addScimTokenCommands(program, run);
  addAuditCommands(program, run);
  addDemoCommand(program, run);
}

function usageMessage({ code, message }: CommanderError): string {
  if (code === "commander.help") return "a command is missing, see --help";
  return message.replace(/^error: /, "").replaceAll("\n", " ");
}
