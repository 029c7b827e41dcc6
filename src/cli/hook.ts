import type { Command } from "commander";

/** Lists the command in the help. `agent-ops hook` itself runs before the other commands are loaded. */
export function addHookCommand(program: Command): void {
  program
    .command("hook")
    .description(
      "ask a running server whether a coding agent may run a tool, as agent-ops-hook does; exits with 0 and the " +
        "decision, or 2; AGENT_OPS_URL and AGENT_OPS_TOKEN are the server and the token",
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => program.error("hook must be the first word of the command"));
}
