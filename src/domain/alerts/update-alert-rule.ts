import { z } from "zod";
import type { AlertRule } from "../../db/generated/client.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { listChanges } from "../kernel/list-changes.ts";
import { queueAlertEmails } from "../notifications/queue-alert-emails.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { alertRuleChanges, requireWindow } from "./alert-rule.ts";
import { appendAlertRuleChange, lockAlertRule, requireRoom } from "./change-alert-rules.ts";
import { appendAlert } from "./append-alert.ts";

const shape = alertRuleChanges.extend({ id: uuid, ifGeneration: z.int().nullish() });

/**
 * Changes an alert rule. Fields that are left out don't change; the metric and the filter never do. A rule that is
 * firing is resolved when it is disabled.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found; precondition_failed if its generation is
 *   another one than `ifGeneration`; validation_failed; already_exists.
 */
export async function updateAlertRule(ctx: Ctx, input: z.input<typeof shape>): Promise<AlertRule> {
  requireRole(ctx, "admin");
  const { id, ifGeneration, ...wanted } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await lockAlertRule(tx, id);
    if (typeof ifGeneration === "number" && before.generation !== ifGeneration) {
      throw new DomainError("precondition_failed", "The alert rule was changed. Read it again.");
    }
    const changes = listChanges(before, wanted);
    if (Object.keys(changes).length === 0) return before;
    if (wanted.windowSeconds !== undefined) requireWindow(before.metric, wanted.windowSeconds);
    if (wanted.name !== undefined) await requireRoom(tx, wanted.name, id);
    const now = await tx.now();
    const isResolved = before.state === "firing" && wanted.enabled === false;
    const rule = await tx.db.alertRule.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: {
        ...wanted,
        ...(wanted.enabled === false && { state: "ok", stateSince: now, aboveSince: null, value: null }),
        ...(isResolved && { resolvedAt: now }),
        generation: before.generation + 1,
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: now,
        dueAt: now,
      },
    });
    appendAlertRuleChange(tx, "alert_rule.updated", { rule, changes });
    if (isResolved) {
      appendAlert(tx, "alert.resolved", { ...rule, value: null });
      await queueAlertEmails(tx, now);
    }
    return rule;
  });
}
