import { NOW, sql } from "../../db/sql.ts";
import type { Presence } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { PRESENCE_SECONDS } from "./presence.ts";

/** The most agents per workspace and transaction. */
const BATCH = 200;

type Changed = { id: string; presence: Presence; lastSeenAt: Date };

/**
 * Appends events for agents that went online, stale or offline. Any number of nodes may run it at once:
 * each change gets one event.
 *
 * @returns the number of agents with a change.
 */
export async function notePresence(services: Services, now: Date | null = null): Promise<number> {
  const sweep = { due: DUE, actor: "presence", batch: (ctx: Ctx) => ctx.transaction(note) };
  return sweepWorkspaces(services, { now }, sweep);
}

async function note(tx: Transaction): Promise<number> {
  const { ctx, run } = tx;
  const changed = await run(NOTE, [ctx.workspaceId]);
  if (changed.length === 0) return 0;
  append(tx, {
    events: changed.map(({ id, presence, lastSeenAt }) => ({
      type: `agent.${presence}`,
      subjectType: "agent",
      subjectId: id,
      agentId: id,
      data: { last_seen_at: lastSeenAt.toISOString() },
    })),
  });
  return changed.length;
}

const AGES = {
  online: `${NOW} - interval '${PRESENCE_SECONDS.online} seconds'`,
  stale: `${NOW} - interval '${PRESENCE_SECONDS.stale} seconds'`,
};

/** Three ranges of one index. */
const IS_DUE = `((presence = 'online' AND last_seen_at <= ${AGES.online})
  OR (presence = 'stale' AND last_seen_at > ${AGES.online})
  OR (presence = 'stale' AND last_seen_at <= ${AGES.stale})
  OR (presence = 'offline' AND last_seen_at > ${AGES.stale}))`;

const DUE = sql<{ id: string }>`SELECT DISTINCT workspace_id AS id FROM agent WHERE ${IS_DUE} LIMIT 100`;

const NOTE = sql<Changed>`
WITH due AS (
  SELECT id FROM agent WHERE workspace_id = $1::uuid AND ${IS_DUE} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
)
UPDATE agent a SET presence = (CASE WHEN last_seen_at > ${AGES.online} THEN 'online'
    WHEN last_seen_at > ${AGES.stale} THEN 'stale' ELSE 'offline' END)::presence
FROM due WHERE a.workspace_id = $1::uuid AND a.id = due.id
RETURNING a.id, a.presence::text, a.last_seen_at AS "lastSeenAt"`;
