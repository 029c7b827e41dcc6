import { sql } from "../../db/sql.ts";
import type { Database } from "../../db/client.ts";

/** A workspace, for the operator of the service. */
export type WorkspaceRow = {
  id: string;
  name: string;
  createdAt: Date;
  suspendedAt: Date | null;
  /** When it begins to be deleted; null if it is not to be. */
  deletionAt: Date | null;
  /** The numbers of members and of agents that are not archived. */
  users: number;
  agents: number;
};

/** Lists all workspaces, oldest first. Only for the command line. */
export async function listWorkspaces({ run }: Database): Promise<WorkspaceRow[]> {
  return run(WORKSPACES, []);
}

const WORKSPACES = sql<WorkspaceRow>`
SELECT w.id, w.name, w.created_at AS "createdAt", w.suspended_at AS "suspendedAt",
  w.deletion_at AS "deletionAt",
  (SELECT count(*)::int FROM "user" u WHERE u.workspace_id = w.id AND u.deleted_at IS NULL) AS users,
  (SELECT count(*)::int FROM agent a WHERE a.workspace_id = w.id AND a.archived_at IS NULL) AS agents
FROM workspace w ORDER BY w.created_at, w.id`;
