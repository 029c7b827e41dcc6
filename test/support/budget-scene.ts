import type { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { reserveBudget } from "../../src/domain/budgets/reserve-budget.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { agentCtx } from "./agent-ctx.ts";
import { insertTestAgent } from "./factories.ts";
import type { QuietServices } from "./quiet-services.ts";
import type { TestServer } from "./server.ts";

export type NewBudget = Parameters<typeof createBudget>[1];

/** A hundred calls of all agents together. */
export const CALLS: NewBudget = {
  ...{ name: "calls", scope: { type: "workspace" }, unit: "calls", limit: "100", period: "total" },
};

/** Ten dollars a day of all agents together. */
export const DOLLARS: NewBudget = {
  ...{ name: "dollars", scope: { type: "workspace" }, unit: "usd", limit: "10", period: "day" },
  defaultEstimate: "0.5",
};

/** A fresh workspace with one agent. */
export type BudgetScene = {
  ctx: Ctx;
  workspaceId: string;
  agentId: string;
  agent: Ctx;
  /** Creates another agent. */
  another: (labels?: Record<string, string>) => Promise<Ctx & { agentId: string }>;
};

export async function createBudgetScene(
  server: Pick<TestServer, "services" | "systemCtx" | "createWorkspace"> | QuietServices,
): Promise<BudgetScene> {
  const { workspaceId } = await server.createWorkspace("Acme");
  const ctx = server.systemCtx(workspaceId);
  const enter = async (labels: Record<string, string> = {}) => {
    const agentId = await insertTestAgent(ctx);
    const where = { workspaceId_id: { workspaceId, id: agentId } };
    await ctx.db.agent.update({ where, data: { labels } });
    return Object.assign(agentCtx(server, { id: agentId, workspaceId }), { agentId });
  };
  const agent = await enter();
  return { ctx, workspaceId, agentId: agent.agentId, agent, another: enter };
}

/** The same caller at another time, or with an Idempotency-Key. */
export function callAs(
  ctx: Ctx,
  { now = null, key = null }: { now?: Date | null; key?: string | null },
): Ctx {
  const idempotency = key === null ? null : { key, requestHash: new Uint8Array(32) };
  return openCtx(ctx.services, { ...ctx, idempotency }, now);
}

/** A row with a sum. */
export type SumRow = {
  budget_id: string;
  subject: string;
  window_start: Date;
  limit_amount: string;
  used: string;
  reserved: string;
  reported: string;
  fired_percent: number;
  pause_due: boolean;
};

/** Reads the sums of a workspace. */
export async function readSums(
  { database }: Pick<QuietServices, "database">,
  workspaceId: string,
): Promise<SumRow[]> {
  return database.query(
    "SELECT * FROM budget_window WHERE workspace_id = $1 ORDER BY budget_id, window_start, subject",
    [workspaceId],
  );
}

/** Compares each sum with that of the reservations' lines and what was reported. @returns pairs of sums that differ. */
export async function findWrongSums(
  { database }: Pick<QuietServices, "database">,
  workspaceId: string,
): Promise<object[]> {
  return database.query(
    `SELECT w.budget_id, w.subject, w.used, w.reserved, w.assumed, l.used AS lines_used, l.reserved AS lines_reserved,
       l.assumed AS lines_assumed
     FROM budget_window w LEFT JOIN (
       SELECT (line->>'budgetId')::uuid AS budget_id, (line->>'windowStart')::timestamptz AS window_start,
         line->>'subject' AS subject, sum((line->>'used')::numeric) AS used,
         sum(CASE WHEN r.status = 'held' AND line->>'unit' <> 'calls' THEN (line->>'amount')::numeric ELSE 0 END)
           AS reserved,
         sum(CASE WHEN r.assumed AND line->>'unit' <> 'calls' THEN (line->>'used')::numeric ELSE 0 END) AS assumed
       FROM reservation r, jsonb_array_elements(r.lines) line WHERE r.workspace_id = $1 GROUP BY 1, 2, 3
     ) l USING (budget_id, window_start, subject)
     WHERE w.workspace_id = $1
       AND (w.used <> COALESCE(l.used, 0) + GREATEST(w.reported, 0) OR w.reserved <> COALESCE(l.reserved, 0)
         OR w.assumed <> COALESCE(l.assumed, 0))`,
    [workspaceId],
  );
}

/** Reserves, and counts what was admitted. @returns the numbers of admitted ones and of each error. */
export async function reserveMany(
  callers: readonly Ctx[],
  amounts: { usd?: string; tokens?: string } = {},
): Promise<Record<string, number>> {
  const results = await Promise.allSettled(callers.map((caller) => reserveBudget(caller, { amounts })));
  const counts: Record<string, number> = {};
  for (const result of results) {
    const name = result.status === "fulfilled" ? "admitted" : String(result.reason?.code ?? result.reason);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
