import type { Command } from "commander";
import { rotateScimToken } from "../auth/scim-tokens/rotate-scim-token.ts";
import { openWorkspace } from "./open-workspace.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

/** Adds `scim-token rotate`. */
export function addScimTokenCommands(program: Command, run: Run): void {
  program
    .command("scim-token")
    .description("rotate the token of the identity provider")
    .command("rotate")
    .description("make the next SCIM token; the one before works on for the overlap")
    .requiredOption("--workspace <id>", "the workspace's id")
    .option("--overlap <seconds>", "0 ends every other token now", Number, 3600)
    .action(run(rotate));
}

async function rotate(
  { services }: Operation,
  { workspace, overlap }: { workspace: string; overlap: number },
): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const { scimToken, secret } = await rotateScimToken(ctx, { overlapSeconds: overlap });
  return {
    json: { scim_token_id: scimToken.id, scim_token: secret },
    lines: [
      overlap === 0
        ? "Made a SCIM token; every other has ended."
        : `Made a SCIM token; the one before works for ${overlap} more seconds.`,
      `  SCIM token id  ${scimToken.id}`,
      `  SCIM token     ${secret}`,
    ],
    shownOnce: true,
  };
}
