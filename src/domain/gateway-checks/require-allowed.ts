import type { Transaction } from "../kernel/context.ts";
import { requireNotDenied } from "./ask-about-order.ts";
import { type NamedDecisions, type Order, decideOrder, nameDecisions } from "./decide-order.ts";
import type { NoteDecisions } from "./with-order-log.ts";

/**
 * Requires that policies allow an order that takes effect at once, so that it can't wait for people. The workspace is
 * locked.
 *
 * @param generation that of the workspace's policies.
 * @throws {DomainError} policy_denied; approval_required if they ask.
 */
export async function requireAllowed(
  tx: Transaction,
  order: Omit<Order, "canWait">,
  { generation, note }: { generation: number; note: NoteDecisions },
): Promise<NamedDecisions> {
  const decisions = (await decideOrder(tx, { ...order, canWait: false }, generation)) ?? [];
  note(decisions.map(({ row }) => row));
  requireNotDenied(tx, decisions);
  return nameDecisions(decisions);
}
