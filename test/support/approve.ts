import type { Approval } from "../../src/db/generated/client.ts";
import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
import { getCurrentHash } from "../../src/domain/approvals/move-approval.ts";
import { readApproval } from "../../src/domain/approvals/read-approval.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { createPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Approves as a new operator of the workspace. */
export async function approve(server: TestServer, workspaceId: string, id: string): Promise<Approval> {
  const person = await createPerson(server, workspaceId, { role: "operator" });
  return grantSeen(await openSessionCtx(server, await beginTestSession(server, person)), id);
}

/** Approves what a person sees. */
export async function grantSeen(person: Ctx, id: string): Promise<Approval> {
  const requestHash = getCurrentHash(await readApproval(person, { id }));
  return grantApproval(person, { id, requestHash });
}
