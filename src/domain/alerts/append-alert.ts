import type { AlertRule } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";

/** Appends the event of a rule that fires, or no longer does. */
export function appendAlert(
  tx: Transaction,
  type: "alert.fired" | "alert.resolved",
  rule: Pick<AlertRule, "id" | "name" | "metric" | "value" | "threshold" | "agentId">,
): void {
  const { id, name, metric, value, threshold, agentId } = rule;
  const data = { name, metric, value, threshold };
  append(tx, {
    events: [{ type, subjectType: "alert_rule", subjectId: id, agentId, data }],
    totals: [{ collection: "alert_rules", from: null, to: null }],
  });
}
