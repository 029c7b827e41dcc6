import { sql } from "../../db/sql.ts";
import { API_KEY, buildValidSql } from "../credentials/validity-sql.ts";
import type { Agent } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { cancelApprovalsOfAgents } from "../approvals/cancel-pending-approvals.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { requestHeldTasksCancel } from "../tasks/request-held-tasks-cancel.ts";
import { changeAgent, lockAgent } from "./change-agent.ts";

/**
 * Archives an agent: its tokens are revoked, it gets no more work, and the cancellation of its tasks is requested. Its
 * history is kept, and its handle stays in use. Only an identity provider can restore it.
 *
 * @throws {DomainError} forbidden below admin; sudo_required; not_found, also if it is already archived;
 *   invalid_state while it has a valid API key.
 */
export async function archiveAgent(ctx: Ctx, id: string): Promise<Agent> {
  requireSudo(ctx, "admin");
  return ctx.transaction(async (tx) => {
    const before = await lockAgent(tx, id);
    await requireNoKey(tx, id);
    const { agent, appended } = await archiveInTransaction(tx, before);
    append(tx, appended);
    return agent;
  }, "urgent");
}

/** Archives a locked agent that has no valid API key. @returns the agent, and what to append. */
export async function archiveInTransaction(
  tx: Transaction,
  before: Agent,
): Promise<{ agent: Agent; appended: AppendContent }> {
  const { id } = before;
  const now = await tx.now();
  await tx.db.agentToken.updateMany({ where: { agentId: id, revokedAt: null }, data: { revokedAt: now } });
  const held = mergeAppends(await cancelApprovalsOfAgents(tx, [id]), await requestHeldTasksCancel(tx, [id]));
  const { agent, appended } = await changeAgent(tx, before, {
    data: { archivedAt: now },
    event: "agent.archived",
    eventData: { archived_at: now.toISOString() },
    audit: { action: "agent.archived", changes: { handle: before.handle } },
  });
  const revoked = {
    events: [],
    revocations: [{ kind: "agent" as const, subjectId: id, reason: "agent_archived" }],
  };
  return { agent, appended: mergeAppends(held, appended, revoked) };
}

async function requireNoKey({ run, ctx }: Transaction, agentId: string): Promise<void> {
  const keys = await run(VALID_KEY, [ctx.workspaceId, agentId]);
  if (keys.length > 0) {
    throw new DomainError("invalid_state", "The agent has a valid API key. Revoke it first.");
  }
}

const VALID_KEY = sql`
SELECT k.id FROM ${API_KEY.from}
WHERE k.workspace_id = $1::uuid AND k.agent_id = $2::uuid AND ${buildValidSql(API_KEY)} LIMIT 1`;
