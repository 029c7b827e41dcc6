import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";

/** The most robots per workspace and transaction. */
const BATCH = 200;

type Silent = { id: string; stateAt: Date; generation: number };

/**
 * Marks robots as offline that have neither reported nor been seen, by socket or request, for 45 s. Their
 * next report ends that. Any number of nodes may run it at once: each change gets one event.
 *
 * @returns the number of robots that went offline.
 */
export async function sweepRobots(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    { due: ROBOTS_SILENT, batch: (ctx) => ctx.transaction(sweepBatch) },
  );
}

async function sweepBatch(tx: Transaction): Promise<number> {
  const { ctx, run } = tx;
  const silent = await run(SILENCE, [ctx.workspaceId]);
  if (silent.length === 0) return 0;
  append(tx, {
    events: silent.map(({ id, stateAt, generation }) => ({
      type: "robot.offline",
      subjectType: "robot",
      subjectId: id,
      agentId: id,
      data: { status: "offline", state_at: stateAt.toISOString(), generation },
    })),
    totals: silent.map(() => ({ collection: "robots", from: null, to: null })),
  });
  return silent.length;
}

const SINCE = `${NOW} - interval '${LIMITS.robotSilenceSeconds} seconds'`;

const IS_SILENT = `r.status <> 'offline' AND r.state_at <= ${SINCE} AND NOT EXISTS (
  SELECT 1 FROM agent a WHERE a.workspace_id = r.workspace_id AND a.id = r.id AND a.last_seen_at > ${SINCE})`;

/** The workspaces that have some. */
export const ROBOTS_SILENT = sql<{
  id: string;
}>`SELECT DISTINCT r.workspace_id AS id FROM robot r WHERE ${IS_SILENT}`;

const SILENCE = sql<Silent>`
WITH silent AS (
  SELECT r.id FROM robot r WHERE r.workspace_id = $1::uuid AND ${IS_SILENT}
  LIMIT ${BATCH} FOR NO KEY UPDATE OF r SKIP LOCKED
)
UPDATE robot r SET status = 'offline', generation = r.generation + 1, updated_at = date_trunc('milliseconds', ${NOW})
FROM silent WHERE r.workspace_id = $1::uuid AND r.id = silent.id
RETURNING r.id, r.state_at AS "stateAt", r.generation`;
