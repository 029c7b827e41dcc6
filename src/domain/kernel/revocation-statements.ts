import { type BoundStatement, sql } from "../../db/sql.ts";
import type { AppendContent } from "./events.ts";

/** Builds the statement that writes the revocations of an append, if it has some. */
export function buildRevocationStatements(
  workspaceId: string,
  appended: readonly AppendContent[],
): BoundStatement[] {
  const revocations = appended.flatMap((one) => one.revocations ?? []);
  return revocations.length > 0 ? [[REVOCATIONS, [workspaceId, JSON.stringify(revocations)]]] : [];
}

/** Revocations are ordered over all workspaces. Their head is locked after the workspace's. */
const REVOCATIONS = sql`
WITH head AS (
  UPDATE revocation_head SET seq = seq + jsonb_array_length($2::jsonb) WHERE id = 1
  RETURNING seq - jsonb_array_length($2::jsonb) AS base
)
INSERT INTO revocation (seq, workspace_id, kind, subject_id, reason)
SELECT head.base + r.place, $1::uuid, r.kind::revocation_kind, r."subjectId", r.reason
FROM head, ROWS FROM (
  jsonb_to_recordset($2::jsonb) AS (kind text, "subjectId" uuid, reason text)
) WITH ORDINALITY AS r(kind, "subjectId", reason, place)`;
