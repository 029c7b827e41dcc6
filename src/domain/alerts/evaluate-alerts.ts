import type { AlertRule } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { queueAlertEmails } from "../notifications/queue-alert-emails.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { ALERT_METRICS } from "./alert-metrics.ts";
import { appendAlert } from "./append-alert.ts";
import { stepAlert } from "./step-alert.ts";

/** How often a rule's metric is read, if that takes no time. */
const EVERY_SECONDS = 30;
/** Rules per transaction, and after how long the rest is left to the next one. */
const BATCH = 20;
const BATCH_MS = 500;
/**
 * A rule rests for so many times as long as its metric took to read beyond what is free, so that a workspace's rules don't
 * fill PostgreSQL.
 */
const REST = 200;
const FREE_SECONDS = 0.1;
const MOST_REST_SECONDS = 300;

/** The workspaces that have some. */
export const ALERTS_DUE = sql<{ id: string }>`
SELECT DISTINCT r.workspace_id AS id FROM alert_rule r JOIN workspace w ON w.id = r.workspace_id
WHERE r.enabled AND r.due_at <= ${NOW} AND w.suspended_at IS NULL`;

/**
 * Reads the metrics of the alert rules that are due, and tells by events which fire and which are resolved. Any number
 * of nodes may run it at once.
 *
 * @returns the number of rules.
 */
export async function evaluateAlerts(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    {
      due: ALERTS_DUE,
      actor: "alerts",
      batch: (ctx: Ctx) => ctx.transaction(evaluateDue),
    },
  );
}

async function evaluateDue(tx: Transaction): Promise<number> {
  const rules = await tx.run(LOCK_DUE, [tx.ctx.workspaceId]);
  const now = await tx.now();
  const evaluated: Evaluated[] = [];
  const startedAtMs = performance.now();
  // One after the other: a transaction has one connection.
  for (const rule of rules) {
    evaluated.push(await evaluate(tx, rule, now));
    if (performance.now() - startedAtMs > BATCH_MS) break;
  }
  if (evaluated.length > 0) await tx.run(UPDATE, [tx.ctx.workspaceId, JSON.stringify(evaluated), now]);
  if (evaluated.some(({ isTold }) => isTold)) await queueAlertEmails(tx, now);
  return evaluated.length;
}

/** `isTold` says whether it fires or is resolved now. */
type Evaluated = Pick<AlertRule, "id" | "state" | "stateSince" | "aboveSince" | "value"> & {
  isTold: boolean;
  restSeconds: number;
};

async function evaluate(tx: Transaction, rule: DueRule, now: Date): Promise<Evaluated> {
  const startedAtMs = performance.now();
  const [found] = await tx.run(...ALERT_METRICS[rule.metric].read(rule));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  const value = found?.value ?? null;
  const after = stepAlert(rule, rule, { value, now });
  const isTold = after.state !== rule.state && (after.state === "firing" || rule.state === "firing");
  if (isTold)
    appendAlert(tx, after.state === "firing" ? "alert.fired" : "alert.resolved", { ...rule, value });
  const restSeconds = Math.min(REST * Math.max(tookSeconds - FREE_SECONDS, 0), MOST_REST_SECONDS);
  return { id: rule.id, value, isTold, restSeconds, ...after };
}

type DueRule = Pick<
  AlertRule,
  | "workspaceId"
  | "id"
  | "name"
  | "metric"
  | "agentId"
  | "label"
  | "labelValue"
  | "queue"
  | "windowSeconds"
  | "threshold"
  | "forSeconds"
  | "cooldownSeconds"
  | "state"
  | "stateSince"
  | "aboveSince"
>;

const LOCK_DUE = sql<DueRule>`
SELECT workspace_id AS "workspaceId", id, name, metric::text, agent_id AS "agentId", label, label_value AS "labelValue",
  queue, window_seconds AS "windowSeconds", threshold, for_seconds AS "forSeconds",
  cooldown_seconds AS "cooldownSeconds", state::text, state_since AS "stateSince", above_since AS "aboveSince"
FROM alert_rule WHERE workspace_id = $1::uuid AND enabled AND due_at <= ${NOW}
ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;

const UPDATE = sql`
UPDATE alert_rule r SET state = e.state::alert_state, state_since = e."stateSince", above_since = e."aboveSince",
  value = e.value, evaluated_at = $3::timestamptz,
  due_at = $3::timestamptz + (${EVERY_SECONDS} + e."restSeconds") * interval '1 second',
  fired_at = CASE WHEN e."isTold" AND e.state = 'firing' THEN $3::timestamptz ELSE r.fired_at END,
  resolved_at = CASE WHEN e."isTold" AND e.state <> 'firing' THEN $3::timestamptz ELSE r.resolved_at END
FROM jsonb_to_recordset($2::jsonb) AS e(id uuid, state text, "stateSince" timestamptz, "aboveSince" timestamptz,
  value float8, "isTold" boolean, "restSeconds" float8)
WHERE r.workspace_id = $1::uuid AND r.id = e.id`;
