import { sql } from "../../db/sql.ts";
import type { Database } from "../../db/client.ts";

/** A workspace as whoever runs the service sees it. */
export type WorkspaceRow = {
  id: string;
  name: string;
  createdAt: Date;
  suspendedAt: Date | null;
  /** Its members, and its agents that are not archived. */
  users: number;
  agents: number;
};

/** Lists every workspace, oldest first: for the command line alone. */
export async function listWorkspaces({ run }: Database): Promise<WorkspaceRow[]> {
  return run(WORKSPACES, []);
}

const WORKSPACES = sql<WorkspaceRow>`
SELECT w.id, w.name, w.created_at AS "createdAt", w.suspended_at AS "suspendedAt",
  (SELECT count(*)::int FROM "user" u WHERE u.workspace_id = w.id AND u.deleted_at IS NULL) AS users,
  (SELECT count(*)::int FROM agent a WHERE a.workspace_id = w.id AND a.archived_at IS NULL) AS agents
FROM workspace w ORDER BY w.created_at, w.id`;
