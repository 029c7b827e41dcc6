import { formatCount, formatDuration } from "../../../ui/words.ts";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { getOrderKind } from "../get-order-kind.ts";

/** What an approval lets the agent do. */
export function describeGrant(approval: ShownApproval): string {
  const { scope, uses, validSeconds, action, resourceId, agent, resourceAgent } = approval;
  const order = getOrderKind(approval);
  if (order === "command")
    return `Approved, the command is sent to ${resourceAgent?.name ?? "the agent"} at once.`;
  if (order === "mission") {
    const robot = resourceAgent?.name ?? "one of its robots";
    return `Approved, the mission is assigned to ${robot}, as soon as that is free.`;
  }
  const what =
    scope === "EXACT"
      ? "exactly this"
      : `any ${toVisibleText(action)} of ${toVisibleText(resourceId)}, whatever the arguments,`;
  const often = uses === 1 ? "once" : `up to ${formatCount(uses, "time")}`;
  return `Approved, ${agent?.name ?? "the agent"} may do ${what} ${often} within ${formatDuration(validSeconds)}.`;
}
