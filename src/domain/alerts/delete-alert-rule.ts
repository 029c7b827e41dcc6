import { z } from "zod";
import type { AlertRule } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { appendAlert } from "./append-alert.ts";
import { appendAlertRuleChange, lockAlertRule } from "./change-alert-rules.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes an alert rule. One that is firing is resolved first.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found.
 */
export async function deleteAlertRule(ctx: Ctx, input: z.input<typeof shape>): Promise<AlertRule> {
  requireRole(ctx, "admin");
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const rule = await lockAlertRule(tx, id);
    await tx.db.alertRule.delete({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
    if (rule.state === "firing") appendAlert(tx, "alert.resolved", { ...rule, value: null });
    appendAlertRuleChange(tx, "alert_rule.deleted", { rule, changes: { name: rule.name } });
    return rule;
  });
}
