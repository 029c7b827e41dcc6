import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { AlertRule } from "../../db/generated/client.ts";
import { requireAgent } from "../agents/require-agent.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { newAlertRule, requireWatched, requireWindow } from "./alert-rule.ts";
import { appendAlertRuleChange, requireRoom } from "./change-alert-rules.ts";

/**
 * Creates an alert rule. It is looked at within a minute, and from then on every half minute.
 *
 * @throws {DomainError} forbidden below admin, and for agents; validation_failed, also for an agent that does not
 *   exist; already_exists.
 */
export async function createAlertRule(ctx: Ctx, input: z.input<typeof newAlertRule>): Promise<AlertRule> {
  requireRole(ctx, "admin");
  const { watched, ...rule } = parseInput(newAlertRule, input);
  requireWatched(rule.metric, watched);
  requireWindow(rule.metric, rule.windowSeconds);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    await requireRoom(tx, rule.name, null);
    await requireAgent(tx, { field: "watched.agentId", id: watched.agentId });
    const [now, by] = [await tx.now(), createActorRecord(ctx.actor)];
    const created = await tx.db.alertRule.create({
      data: {
        ...rule,
        ...watched,
        workspaceId: ctx.workspaceId,
        id: uuidv7(),
        stateSince: now,
        dueAt: now,
        createdBy: by,
        updatedBy: by,
        createdAt: now,
        updatedAt: now,
      },
    });
    appendAlertRuleChange(tx, "alert_rule.created", { rule: created, changes: { ...rule, watched } });
    return created;
  });
}
