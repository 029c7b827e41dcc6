import type { Agent } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { requireNoStop } from "../stops/is-stopped.ts";
import { type AgentAppendContent, changeAgent } from "./change-agent.ts";

/**
 * Restores a locked agent that is archived. It has no credentials until it is given new ones. Stops must be held.
 *
 * @returns the agent, and what to append.
 * @throws {DomainError} emergency_stop if a stop covers it.
 */
export async function restoreInTransaction(
  tx: Transaction,
  before: Agent,
): Promise<{ agent: Agent; appended: AgentAppendContent }> {
  await requireNoStop(tx, [before.id]);
  return changeAgent(tx, before, {
    data: { archivedAt: null },
    event: "agent.restored",
    eventData: { archived_at: null },
    audit: { action: "agent.restored", changes: { handle: before.handle } },
  });
}
