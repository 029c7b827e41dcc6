import { type Run, sql } from "../../db/sql.ts";
import type { AuditCheckpoint } from "./audit-checkpoint.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

/** Reads a workspace's checkpoint by its number. Null if the database does not have it. */
export async function readCheckpoint(
  run: Run,
  { workspace_id: workspaceId, number }: Pick<AuditCheckpoint, "workspace_id" | "number">,
): Promise<AuditCheckpoint | null> {
  const [row] = await run(ONE, [workspaceId, number]);
  return row === undefined ? null : toCheckpoint(row);
}

const ONE = sql<StoredCheckpoint>`SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint c WHERE c.workspace_id = $1::uuid AND c.number = $2::bigint`;
