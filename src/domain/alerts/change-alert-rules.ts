import type { AlertRule } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { ALERT_RULES } from "./alert-rule.ts";

export type AlertRuleChange = "alert_rule.created" | "alert_rule.updated" | "alert_rule.deleted";

/**
 * Locks a rule, so that it is not evaluated meanwhile.
 *
 * @throws {DomainError} not_found.
 */
export async function lockAlertRule({ run, db, ctx }: Transaction, id: string): Promise<AlertRule> {
  const key = [ctx.workspaceId, id];
  const [locked] = await run(LOCK, key);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const rule = locked === undefined ? null : await db.alertRule.findUnique({ where });
  if (rule === null) throw createNotFoundError("alert rule");
  return rule;
}

const LOCK = sql<{ id: string }>`
SELECT id FROM alert_rule WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`;

/**
 * Requires that no other rule has this name, and that there is room for one more.
 *
 * @param id the rule that gets the name; null for a new one.
 * @throws {DomainError} already_exists; validation_failed.
 */
export async function requireRoom(tx: Transaction, name: string, id: string | null): Promise<void> {
  const [found] = await tx.run(ROOM, [tx.ctx.workspaceId, name, id]);
  if (found?.hasName === true) {
    throw new DomainError("already_exists", "An alert rule with this name already exists.", {
      field: "name",
    });
  }
  if (id === null && found !== undefined && found.total >= ALERT_RULES) {
    throw createFieldError("name", `can't be added: a workspace has at most ${ALERT_RULES} alert rules`);
  }
}

const ROOM = sql<{ total: number; hasName: boolean }>`
SELECT (SELECT count(*)::int FROM alert_rule WHERE workspace_id = $1::uuid) AS total,
  EXISTS (SELECT 1 FROM alert_rule WHERE workspace_id = $1::uuid AND name = $2 AND id IS DISTINCT FROM $3::uuid)
    AS "hasName"`;

export function appendAlertRuleChange(
  tx: Transaction,
  change: AlertRuleChange,
  {
    rule,
    changes,
  }: { rule: Pick<AlertRule, "id" | "name" | "generation">; changes: Record<string, unknown> },
): void {
  const { id, name, generation } = rule;
  append(tx, {
    events: [{ type: change, subjectType: "alert_rule", subjectId: id, data: { name, generation } }],
    totals: [TOTALS[change]],
    audit: [{ action: change, targetType: "alert_rule", targetId: id, changes }],
  });
}

const TOTALS = {
  "alert_rule.created": { collection: "alert_rules", to: null },
  "alert_rule.updated": { collection: "alert_rules", from: null, to: null },
  "alert_rule.deleted": { collection: "alert_rules", from: null },
} as const;
