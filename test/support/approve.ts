import type { Approval } from "../../src/db/generated/client.ts";
import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { createPerson, logInForToken } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Approves as a new operator of the workspace. */
export async function approve(server: TestServer, workspaceId: string, id: string): Promise<Approval> {
  const person = await createPerson(server, workspaceId, { role: "operator" });
  return grantApproval(await openSessionCtx(server, await logInForToken(server, person)), { id });
}
