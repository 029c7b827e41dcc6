import { rotateScimToken } from "../../auth/scim-tokens/rotate-scim-token.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

export async function runScimTokenRotate(
  { services }: CommandContext,
  { workspace, overlap }: { workspace: string; overlap: number },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const { scimToken, secret } = await rotateScimToken(ctx, { overlapSeconds: overlap });
  return {
    json: { scim_token_id: scimToken.id, scim_token: secret },
    lines: [
      overlap === 0
        ? "Created a SCIM token. All others are revoked."
        : `Created a SCIM token. The previous one stays valid for ${overlap} seconds.`,
      `  SCIM token id  ${scimToken.id}`,
      `  SCIM token     ${secret}`,
    ],
    shownOnce: true,
  };
}
