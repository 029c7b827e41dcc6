import { sql } from "../../db/sql.ts";
import type { Agent, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import type { AppendContent, AuditInput } from "../kernel/events.ts";

/** A change of an agent, with its event. */
export type AgentChange = {
  data: Prisma.AgentUncheckedUpdateInput;
  /** Such as `agent.updated`. */
  event: string;
  /** The changed scalars, by their names in the API. */
  eventData: Record<string, unknown>;
  audit?: Omit<AuditInput, "targetType" | "targetId">;
};

/** What a transaction that changes an agent must append. */
export type AgentAppendContent = Required<Pick<AppendContent, "events" | "totals" | "audit">>;

/**
 * Locks an agent's row until the transaction ends.
 *
 * @throws {DomainError} not_found, also if it is archived.
 */
export async function lockAgent({ run, db, ctx }: Transaction, id: string): Promise<Agent> {
  await run(LOCK, [ctx.workspaceId, id]);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const agent = await db.agent.findUnique({ where });
  if (agent === null || agent.archivedAt !== null) throw createNotFoundError("agent");
  return agent;
}

const LOCK = sql`SELECT 1 FROM agent WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/** Changes a locked agent and increments its generation. @returns the agent, and what to append. */
export async function changeAgent(
  tx: Transaction,
  { id, generation }: Agent,
  { data, event, eventData, audit }: AgentChange,
): Promise<{ agent: Agent; appended: AgentAppendContent }> {
  const { db, ctx } = tx;
  const agent = await db.agent.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    data: { ...data, generation: generation + 1, updatedAt: await tx.now() },
  });
  const subject = { subjectType: "agent", subjectId: id, agentId: id };
  return {
    agent,
    appended: {
      events: [{ type: event, ...subject, data: { ...eventData, generation: agent.generation } }],
      totals: [{ collection: "agents", from: null, to: null }],
      audit: audit === undefined ? [] : [{ ...audit, targetType: "agent", targetId: id }],
    },
  };
}
