import { NOW, sql } from "../../db/sql.ts";
import { setAgentControlState } from "../agents/set-agent-control-state.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { KEPT_CHARGES } from "./reported-charge.ts";
import { runBudgetOperation } from "./run-budget-operation.ts";

/** Reservations, or charges, per batch. */
const BATCH = 200;
/** Agents that are paused per batch. */
const MOST_PAUSED = 500;

/** The workspaces that have some. */
export const BUDGETS_DUE = sql<{ id: string }>`
SELECT workspace_id AS id FROM reservation WHERE status = 'held' AND expires_at <= ${NOW}
UNION
SELECT workspace_id FROM budget_window WHERE pause_due
UNION
SELECT workspace_id FROM budget_charge`;

/**
 * Counts what telemetry has charged, ends reservations that were not settled in time, and pauses agents where a
 * threshold says so. Any number of nodes may run it at once.
 *
 * @returns the number of charges, ended reservations and paused agents.
 */
export async function sweepBudgets(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(
    services,
    { now, turns },
    {
      due: BUDGETS_DUE,
      actor: "budgets",
      batch: async (ctx) =>
        (await countCharges(ctx)) + (await expireReservations(ctx)) + (await pauseAgents(ctx)),
    },
  );
}

async function countCharges(ctx: Ctx): Promise<number> {
  const kept = await ctx.read(KEPT_CHARGES, [ctx.workspaceId, BATCH]);
  const charges = kept.map(({ usdMicros: usd, tokens, ...charge }) => ({
    ...charge,
    amounts: { usd, tokens },
  }));
  await Promise.all(charges.map((charge) => runBudgetOperation(ctx, { kind: "countCharge", charge })));
  return charges.length;
}

async function expireReservations(ctx: Ctx): Promise<number> {
  const due = await ctx.read(EXPIRED, [ctx.workspaceId]);
  await Promise.all(due.map(({ id }) => runBudgetOperation(ctx, { kind: "expire", id, callerId: null })));
  return due.length;
}

const EXPIRED = sql<{ id: string }>`
SELECT id FROM reservation WHERE workspace_id = $1::uuid AND status = 'held' AND expires_at <= ${NOW}
ORDER BY expires_at LIMIT ${BATCH}`;

/** Pauses the agents that one sum is for. */
async function pauseAgents(ctx: Ctx): Promise<number> {
  const [due] = await ctx.read(PAUSE_DUE, [ctx.workspaceId]);
  if (due === undefined) return 0;
  const { name, percent, ...window } = due;
  const agents = await ctx.read(COVERED, [ctx.workspaceId, window.budgetId, window.subject]);
  const reason = `The budget "${name}" has reached ${percent} % of its limit.`;
  for (const { id } of agents) await pauseAgent(ctx, id, reason);
  if (agents.length < MOST_PAUSED) {
    await runBudgetOperation(ctx, { kind: "notePaused", window });
  }
  return agents.length;
}

async function pauseAgent(ctx: Ctx, id: string, reason: string): Promise<void> {
  try {
    await setAgentControlState(ctx, { id, controlState: "paused", reason });
  } catch (error) {
    // It was archived meanwhile.
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
  }
}

const PAUSE_DUE = sql<{
  budgetId: string;
  windowStart: Date;
  subject: string;
  name: string;
  percent: number;
}>`
SELECT w.budget_id AS "budgetId", w.window_start AS "windowStart", w.subject, b.name, w.fired_percent AS percent
FROM budget_window w JOIN budget b ON b.workspace_id = w.workspace_id AND b.id = w.budget_id
WHERE w.workspace_id = $1::uuid AND w.pause_due LIMIT 1`;

const COVERED = sql<{ id: string }>`
SELECT a.id FROM budget b JOIN agent a ON a.workspace_id = b.workspace_id
WHERE b.workspace_id = $1::uuid AND b.id = $2::uuid AND a.archived_at IS NULL AND a.control_state = 'active'
  AND CASE b.scope
    WHEN 'workspace' THEN true
    WHEN 'each_agent' THEN a.id::text = $3
    WHEN 'agent' THEN a.id = b.scope_agent_id
    WHEN 'each_label' THEN a.labels ->> b.scope_label = $3
    WHEN 'label' THEN a.labels ->> b.scope_label = b.scope_value
  END
ORDER BY a.id LIMIT ${MOST_PAUSED}`;
