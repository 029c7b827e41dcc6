import { createBudget } from "../domain/budgets/create-budget.ts";
import { reserveBudget } from "../domain/budgets/reserve-budget.ts";
import { settleReservation } from "../domain/budgets/settle-reservation.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { ignoreExisting } from "./ignore-existing.ts";
import { openDemoAgent } from "./simulator/demo-agent.ts";

type Amounts = { usd: string | null; tokens: string | null };

/** What today's agents have used so far, by handle. One of them is near the end of its budget. */
const USED: ReadonlyMap<string, Amounts> = new Map([
  ["returns-desk", { usd: "4410.50", tokens: "610000" }],
  ["support-replies", { usd: null, tokens: "920000" }],
  ["invoice-reader", { usd: null, tokens: "1350000" }],
  ["market-research", { usd: null, tokens: "4380000" }],
  ["code-review", { usd: null, tokens: "2700000" }],
]);

const THRESHOLDS = [{ percent: 80, action: "warn" as const }];

const DAY = { period: "day", timeZone: "Europe/Stockholm", thresholds: THRESHOLDS } as const;

/** Creates the demo's budgets with what was used of them today, unless they exist. */
export async function createBudgets(ctx: Ctx): Promise<void> {
  const agents = await ctx.db.agent.findMany({
    where: { handle: { in: [...USED.keys()] }, archivedAt: null },
    select: { id: true, handle: true, name: true },
  });
  const returns = agents.find(({ handle }) => handle === "returns-desk");
  if ((await ctx.db.budget.count()) > 0 || returns === undefined) return;
  const refunds = createBudget(ctx, {
    ...DAY,
    name: "refunds",
    unit: "usd",
    limit: "5000",
    defaultEstimate: "100",
    description: "What the returns desk may pay back in a day.",
    scope: { type: "agent", agentId: returns.id },
  });
  if (!(await ignoreExisting(refunds))) return;
  await createBudget(ctx, {
    ...DAY,
    name: "language models",
    unit: "tokens",
    limit: "5000000",
    defaultEstimate: "600",
    description: "Tokens of each team's agents in a day.",
    scope: { type: "each_label", label: "team" },
  });
  for (const agent of agents) {
    const amounts = USED.get(agent.handle);
    if (amounts !== undefined) await use(openDemoAgent(ctx, agent), amounts);
  }
}

async function use(agent: Ctx, amounts: Amounts): Promise<void> {
  const { reservation } = await reserveBudget(agent, { amounts });
  await settleReservation(agent, { id: reservation.id });
}
