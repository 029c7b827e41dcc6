import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import type { TestServer } from "./server.ts";

/** The context of an existing user with a new session. */
export function personCtx(
  server: Pick<TestServer, "services" | "systemCtx">,
  { id, workspaceId }: { id: string; workspaceId: string },
  { role, isSudo = true }: { role: Role; isSudo?: boolean },
): Ctx {
  const session = { id: crypto.randomUUID(), familyId: crypto.randomUUID(), isSudo, needsFactor: false };
  return openCtx(server.services, {
    ...server.systemCtx(workspaceId),
    actor: { type: "user", id, name: "Somebody", role, session },
  });
}

/** The fields of a workspace's latest audit event that tests check. */
export async function lastAudit(
  { database }: Pick<TestServer, "database">,
  workspaceId: string,
): Promise<{ action: string; target_id: string; changes: unknown }> {
  const [row] = await database.query<{ action: string; target_id: string; changes: unknown }>(
    "SELECT action, target_id, changes FROM audit_event WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1",
    [workspaceId],
  );
  if (row === undefined) throw new Error("the audit log is empty");
  return row;
}

/** The reasons for revoking something, in order. */
export async function readRevocationReasons(
  { database }: Pick<TestServer, "database">,
  subjectId: string,
): Promise<string[]> {
  const rows = await database.query<{ reason: string }>(
    "SELECT reason FROM revocation WHERE subject_id = $1 ORDER BY seq",
    [subjectId],
  );
  return rows.map(({ reason }) => reason);
}

/** The types of events about something, in order. Its trace may have the same id. */
export async function readEventTypes(
  { database }: Pick<TestServer, "database">,
  subjectId: string,
): Promise<string[]> {
  const rows = await database.query<{ type: string }>(
    "SELECT type FROM event WHERE subject_id = $1 AND type <> 'trace.updated' ORDER BY seq",
    [subjectId],
  );
  return rows.map(({ type }) => type);
}
