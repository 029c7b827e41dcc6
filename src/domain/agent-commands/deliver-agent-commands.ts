import { sql } from "../../db/sql.ts";
import { PAGE_BYTES, TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { CommandPriority } from "../../db/generated/enums.ts";
import { type ActorRecord, createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { groupBy } from "../kernel/group-by.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import { commandEvent } from "./command-event.ts";
import { CONTROL_COMMANDS, DE_ESCALATING } from "./command-types.ts";

/** The options of a delivery. */
export type CommandDelivery = {
  agentId: string;
  limit: number;
  /** Only commands of this priority. */
  priority?: CommandPriority | null | undefined;
  /** Whether to redeliver commands that were delivered but not acknowledged. */
  redeliver?: boolean;
};

/** A delivery with its actor and time. */
export type DeliveryRequest = CommandDelivery & { by: ActorRecord; now: Date | null };

type DeliveredRow = AgentCommand & { $from: AgentCommand["status"] };

/**
 * Delivers an agent's due commands: all urgent ones, and the first normal one if none is waiting for
 * acknowledgement.
 *
 * @returns the urgent commands first, each kind in order.
 */
export async function deliverAgentCommands(ctx: Ctx, delivery: CommandDelivery): Promise<AgentCommand[]> {
  const delivered = await deliverToAgents(ctx, [
    { ...delivery, by: createActorRecord(ctx.actor), now: ctx.now },
  ]);
  return delivered.get(delivery.agentId) ?? [];
}

/**
 * Does {@link deliverAgentCommands} for many agents with one statement. Commands beyond a page's bytes of
 * params are left for the next delivery, each agent's later ones first.
 *
 * @param asked at most one request per agent.
 * @returns commands by agent id. Agents without any are left out.
 */
export async function deliverToAgents(
  ctx: Ctx,
  asked: readonly DeliveryRequest[],
): Promise<Map<string, AgentCommand[]>> {
  const delivered = await ctx.transaction(async (tx) => {
    const rows = await tx.run(DELIVER, [ctx.workspaceId, ...toColumns(asked)]);
    if (rows.length === 0) return [];
    const commands = rows.toSorted(compareByTurn);
    const by = new Map(asked.map((one) => [one.agentId, one.by]));
    append(tx, {
      events: commands.map((command) => ({
        ...commandEvent("agent_command.delivered", command),
        actor: by.get(command.agentId) ?? createActorRecord(ctx.actor),
      })),
      totals: commands.map(({ $from: from, status: to }) => ({ collection: "agent_commands", from, to })),
    });
    return commands.map(({ $from: _from, ...command }) => command);
  });
  return groupBy(delivered, ({ agentId }) => agentId);
}

function toColumns(asked: readonly DeliveryRequest[]): unknown[] {
  return [
    asked.map(({ agentId }) => agentId),
    asked.map(({ limit }) => limit),
    asked.map(({ priority }) => priority ?? null),
    asked.map(({ redeliver }) => redeliver ?? false),
    asked.map(({ now }) => now),
  ];
}

function compareByTurn(a: AgentCommand, b: AgentCommand): number {
  if (a.priority !== b.priority) return a.priority === "urgent" ? -1 : 1;
  return Number(a.seq - b.seq);
}

const BYTES = "pg_column_size(c.params) AS bytes";

const CONTROL = listTypes(CONTROL_COMMANDS);

/** SQL condition on command `c`: if a stop covers its agent, it only makes the agent do less. */
const IS_DELIVERABLE = `(NOT a.is_stopped OR c.type IN (${listTypes(DE_ESCALATING)}))`;

/**
 * The first open normal command blocks those after it, even if it can't be delivered yet. An expired one
 * blocks only if an agent has it. A command that pauses, stops or resumes is not delivered if the agent
 * already has a later one of that kind: the latest applies. During a stop, what makes an agent do more waits, and
 * blocks nothing.
 */
const DELIVER = sql<DeliveredRow>`
WITH asked AS MATERIALIZED (
  SELECT a.agent_id, a.most, a.priority, a.redeliver, date_trunc('milliseconds', COALESCE(a.now, now())) AS at,
    ${isStoppedSql("own")} AS is_stopped
  FROM unnest($2::uuid[], $3::int[], $4::command_priority[], $5::boolean[], $6::timestamptz[])
    AS a(agent_id, most, priority, redeliver, now)
  JOIN agent own ON own.workspace_id = $1::uuid AND own.id = a.agent_id
), found AS (
  SELECT d.id, a.redeliver, a.at, sum(d.bytes) OVER (
    ORDER BY d.turn, d.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
  FROM asked a CROSS JOIN LATERAL (
    SELECT o.id, o.bytes, row_number() OVER (ORDER BY o.priority DESC, o.seq) AS turn FROM (
      (SELECT c.id, c.status, c.not_before, c.delivery_attempts, c.priority, c.seq, ${BYTES} FROM agent_command c
       WHERE c.workspace_id = $1::uuid AND c.agent_id = a.agent_id AND c.priority = 'urgent'
         AND (a.priority IS NULL OR a.priority = 'urgent') AND ${IS_DELIVERABLE}
         AND c.status IN ('queued', 'delivered') AND c.expires_at > a.at
         AND (c.status = 'queued' OR a.redeliver)
         AND (c.not_before IS NULL OR c.not_before <= a.at OR c.status = 'delivered')
         AND NOT (c.type IN (${CONTROL}) AND EXISTS (
           SELECT 1 FROM agent_command l
           WHERE l.workspace_id = $1::uuid AND l.agent_id = a.agent_id AND l.seq > c.seq AND l.type IN (${CONTROL})
             AND l.status IN ('delivered', 'acknowledged', 'running', 'succeeded', 'failed', 'timed_out')))
       ORDER BY c.seq LIMIT a.most)
      UNION ALL
      (SELECT c.id, c.status, c.not_before, c.delivery_attempts, c.priority, c.seq, ${BYTES} FROM agent_command c
       WHERE c.workspace_id = $1::uuid AND c.agent_id = a.agent_id AND c.priority = 'normal'
         AND (a.priority IS NULL OR a.priority = 'normal') AND ${IS_DELIVERABLE}
         AND (c.status = 'delivered' OR c.status = 'queued' AND c.expires_at > a.at)
       ORDER BY c.seq LIMIT 1)
    ) o
    WHERE (o.status = 'queued' AND (o.not_before IS NULL OR o.not_before <= a.at))
       OR (o.status = 'delivered' AND a.redeliver AND o.delivery_attempts < ${LIMITS.deliveryAttempts})
    ORDER BY turn LIMIT a.most
  ) d
), due AS MATERIALIZED (
  SELECT id, redeliver, at FROM found WHERE bytes_before IS NULL OR bytes_before < ${PAGE_BYTES}
), taken AS (
  SELECT c.id, c.status, due.at FROM agent_command c JOIN due ON due.id = c.id
  WHERE c.workspace_id = $1::uuid
    AND (c.status = 'delivered' AND due.redeliver
      OR c.status = 'queued' AND (c.not_before IS NULL OR c.not_before <= due.at))
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE agent_command c SET
  status = 'delivered', delivered_at = taken.at, delivery_attempts = c.delivery_attempts + 1,
  next_deadline_at = LEAST(c.expires_at, taken.at + make_interval(secs => c.ack_timeout_seconds)),
  generation = c.generation + 1, updated_at = taken.at
FROM taken WHERE c.workspace_id = $1::uuid AND c.id = taken.id
RETURNING ${selectList("c", TABLES.agentCommand)}, taken.status AS "$from"`;

function listTypes(types: ReadonlySet<string>): string {
  return [...types].map((type) => `'${type}'`).join(", ");
}
