import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { CommandPriority } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { append } from "../events.ts";
import { LIMITS } from "../limits.ts";
import { commandEvent } from "./command-event.ts";

/** What is to be delivered to an agent. */
export type Delivery = {
  agentId: string;
  limit: number;
  /** Commands of this priority alone. */
  priority?: CommandPriority | null | undefined;
  /** Whether what was delivered and is not acknowledged is delivered again. */
  redeliver?: boolean;
};

type Delivered = AgentCommand & { $from: AgentCommand["status"] };

/**
 * Delivers what is an agent's turn: every urgent command, and the first of its normal ones where none is
 * waiting to be acknowledged.
 *
 * @returns the urgent ones first, each kind in its order.
 */
export async function deliverAgentCommands(ctx: Ctx, delivery: Delivery): Promise<AgentCommand[]> {
  const { agentId, limit, priority, redeliver } = delivery;
  return ctx.transaction(async (tx) => {
    const delivered = await tx.db.$queryRawUnsafe<Delivered[]>(
      DELIVER,
      ...[ctx.workspaceId, agentId, ctx.now, limit, priority ?? null, redeliver ?? false],
    );
    if (delivered.length === 0) return [];
    const commands = delivered.toSorted(inTurn);
    await append(tx, {
      events: commands.map((command) => commandEvent("agent_command.delivered", command)),
      totals: commands.map(({ $from, status }) => ({
        collection: "agent_commands",
        from: $from,
        to: status,
      })),
    });
    return commands.map(({ $from: _from, ...command }) => command);
  });
}

function inTurn(a: AgentCommand, b: AgentCommand): number {
  if (a.priority !== b.priority) return a.priority === "urgent" ? -1 : 1;
  return Number(a.seq - b.seq);
}

/**
 * The first normal command that is open decides, whether it may be delivered or not: what stands behind it
 * waits. One whose time is over stands in nobody's way, but where an agent has it.
 */
const DELIVER = `
WITH at AS (
  SELECT date_trunc('milliseconds', COALESCE($3::timestamptz, now())) AS now
), head AS (
  SELECT c.id, c.status, c.not_before, c.delivery_attempts FROM agent_command c, at
  WHERE c.workspace_id = $1::uuid AND c.agent_id = $2::uuid AND c.priority = 'normal'
    AND ($5::command_priority IS NULL OR $5::command_priority = 'normal')
    AND (c.status = 'delivered' OR c.status = 'queued' AND c.expires_at > at.now)
  ORDER BY c.seq LIMIT 1
), urgent AS (
  SELECT c.id, c.status, c.not_before, c.delivery_attempts FROM agent_command c, at
  WHERE c.workspace_id = $1::uuid AND c.agent_id = $2::uuid AND c.priority = 'urgent'
    AND ($5::command_priority IS NULL OR $5::command_priority = 'urgent')
    AND c.status IN ('queued', 'delivered') AND c.expires_at > at.now
    AND (c.status = 'queued' OR $6::boolean)
    AND (c.not_before IS NULL OR c.not_before <= at.now OR c.status = 'delivered')
  ORDER BY c.seq LIMIT $4::int
), due AS (
  SELECT o.id FROM (SELECT * FROM urgent UNION ALL SELECT * FROM head) o, at
  WHERE (o.status = 'queued' AND (o.not_before IS NULL OR o.not_before <= at.now))
     OR (o.status = 'delivered' AND $6::boolean AND o.delivery_attempts < ${LIMITS.deliveryAttempts})
  LIMIT $4::int
), taken AS (
  SELECT c.id, c.status FROM agent_command c, at
  WHERE c.workspace_id = $1::uuid AND c.id IN (SELECT id FROM due)
    AND (c.status = 'delivered' AND $6::boolean
      OR c.status = 'queued' AND (c.not_before IS NULL OR c.not_before <= at.now))
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE agent_command c SET
  status = 'delivered', delivered_at = at.now, delivery_attempts = c.delivery_attempts + 1,
  next_deadline_at = LEAST(c.expires_at, at.now + make_interval(secs => c.ack_timeout_seconds)),
  generation = c.generation + 1, updated_at = at.now
FROM taken, at WHERE c.workspace_id = $1::uuid AND c.id = taken.id
RETURNING ${selectList("c", TABLES.agentCommand)}, taken.status AS "$from"`;
