import { Command, CommanderError } from "commander";
import { readVersion } from "../config/version.ts";
import { addAuditCommands } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addDemoCommand } from "./demo.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEvalCommand } from "./eval.ts";
import { addHookCommand } from "./hook.ts";
import { addKeyCommands } from "./key.ts";
import { addMcpCommands } from "./mcp.ts";
import type { CreateAction } from "./run-command.ts";
import type { CreateDatabaseAction } from "./run-on-database.ts";
import { addPolicyCommands } from "./policy.ts";
import { addPriceCommands } from "./prices.ts";
import { addScimTokenCommands } from "./scim-token.ts";
import { addSecretCommands } from "./secrets.ts";
import { addSignInCommands } from "./sign-in.ts";
import { type Terminal, printProblem } from "./terminal.ts";
import { addTokenCommands } from "./token.ts";
import { addTraceCommands } from "./traces.ts";
import { addUserCommands } from "./user.ts";
import { addWorkspaceCommands } from "./workspace.ts";

const USAGE_EXIT_CODE = 2;

/**
 * Runs the command in the arguments. Its code is imported then, so that help and usage errors are fast.
 *
 * @returns the exit code: 0; 1 for an error; 2 for wrong usage; 128 plus the signal's number after a
 *   signal.
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  let shown = "";
  const program = createProgram(terminal, (text) => void (shown += text));
  addCommands(program, (load) => async (options) => {
    const [{ runCommand }, work] = await Promise.all([import("./run-command.ts"), load()]);
    exitCode = await runCommand(terminal, (operation) => work(operation, options));
  });
  addDatabaseCommands(program, (load) => async (options) => {
    const [{ runOnDatabase }, work] = await Promise.all([import("./run-on-database.ts"), load()]);
    exitCode = await runOnDatabase(terminal, (command) => work(command, options));
  });
  addEvalCommand(program, async (load) => {
    const [{ runRemote }, work] = await Promise.all([import("./run-remote.ts"), load()]);
    exitCode = await runRemote(terminal, work);
  });
  addTokenCommands(program, async (options) => {
    exitCode = await (await import("./actions/token.ts")).runTokenExchange(terminal, options);
  });
  addHookCommand(program);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws for --help and --version, with exit code 0.
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
    .description("Manage workspaces, people and credentials of Agent Ops, with or without a running server.")
    .option("--json", "print only one JSON object")
    .version(readVersion(), "--version", "print the version")
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: listLeaves,
      subcommandTerm: (command) => listWords(command).join(" "),
    })
    .configureOutput({
      writeOut: show,
      // The help after a missing command. Left out of JSON output.
      writeErr: terminal.json ? () => {} : terminal.stderr,
      // The error is printed above, in the format that was asked for.
      outputError: () => {},
    })
    .exitOverride();
}

/** Lists the commands without subcommands. */
function listLeaves({ commands }: Command): Command[] {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : listLeaves(command)));
}

/** The words that call a command, without the program's name. */
function listWords(command: Command): string[] {
  return command.parent === null ? [] : [...listWords(command.parent), command.name()];
}

function addCommands(program: Command, run: CreateAction): void {
  addWorkspaceCommands(program, run);
  addUserCommands(program, run);
  addKeyCommands(program, run);
  addPolicyCommands(program, run);
  addPriceCommands(program, run);
  addTraceCommands(program, run);
  addScimTokenCommands(program, run);
  addSignInCommands(program, run);
  addMcpCommands(program, run);
  addSecretCommands(program, run);
  addAuditCommands(program, run);
  addDemoCommand(program, run);
}

function addDatabaseCommands(program: Command, run: CreateDatabaseAction): void {
  addBackupCommands(program, run);
  addDoctorCommand(program, run);
}

function usageMessage({ code, message }: CommanderError): string {
  if (code === "commander.help") return "the command is missing; see --help";
  return message.replace(/^error: /, "").replaceAll("\n", " ");
}
