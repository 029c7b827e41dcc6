import { pino } from "pino";
import { createUser } from "../src/auth/users/create-user.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { insertAgent } from "../src/domain/agents/insert-agent.ts";
import { createBudget } from "../src/domain/budgets/create-budget.ts";
import { type Ctx, openCtx, systemCaller } from "../src/domain/kernel/context.ts";
import { createPolicy } from "../src/domain/policies/create-policy.ts";
import { append } from "../src/domain/kernel/events.ts";
import type { PolicyRuleInput } from "../src/domain/policies/policy-rule.ts";
import { openServices } from "../src/services.ts";

/** A workspace with this many policies, of which {@link MATCHING} are about the same tool. */
export type GatewaySeed = { policies: number; apiKey: string };

/** How many policies a check evaluates. */
export const MATCHING = 50;

const SIZES = [50, 1000, 10_000];

/** An agent's refund, which one policy allows and no other condition meets. */
export const REFUND = {
  action: { name: "tools/call", properties: { arguments: { amount: 90, currency: "USD", order: "A-17" } } },
  resource: { type: "tool", id: "stripe.refund" },
};

/** A refund that needs a person. */
export function createLargeRefund(order: number): object {
  return { ...REFUND, action: { name: "tools/call", properties: { arguments: { amount: 9000, order } } } };
}

/** Creates a workspace for each number of policies. */
export async function seedPolicies(databaseUrl: string): Promise<GatewaySeed[]> {
  return withServices(databaseUrl, async (services) => {
    const seeded: GatewaySeed[] = [];
    for (const policies of SIZES) {
      const workspace = await createWorkspace(services, { name: `${policies} policies`, policies: [] });
      const ctx = openCtx(services, systemCaller(workspace.workspaceId, "bench"));
      for (const rule of listRules()) await createPolicy(ctx, rule);
      await services.database.prisma.$executeRawUnsafe(OTHERS, workspace.workspaceId, policies - MATCHING);
      seeded.push({ policies, apiKey: workspace.apiKey });
    }
    await services.database.prisma.$executeRawUnsafe("VACUUM ANALYZE policy");
    return seeded;
  });
}

/** Who approves. */
export type Approver = { email: string; password: string };

/** Creates a workspace whose agents' large refunds an operator approves. */
export async function seedApprovals(databaseUrl: string): Promise<{ apiKey: string; approver: Approver }> {
  return withServices(databaseUrl, async (services) => {
    const { apiKey, workspaceId } = await createWorkspace(services, { name: "Approvals", policies: [] });
    const ctx = openCtx(services, systemCaller(workspaceId, "bench"));
    for (const rule of listRules().slice(0, 2)) await createPolicy(ctx, rule);
    const approver = { email: "ada@example.com", password: "a quiet harbour at dawn" };
    await createUser(ctx, services.passwords, {
      ...approver,
      name: "Ada",
      role: "operator",
      confirmed: true,
    });
    return { apiKey, approver };
  });
}

/** A workspace with budgets, and an agent of it. */
export type BudgetSeed = { workspaceId: string; agentId: string };

/** Creates a workspace with three budgets that every call counts in. */
export async function seedBudgets(databaseUrl: string): Promise<BudgetSeed> {
  return withServices(databaseUrl, async (services) => {
    const { workspaceId } = await createWorkspace(services, { name: "Budgets", policies: [] });
    const ctx: Ctx = openCtx(services, systemCaller(workspaceId, "bench"));
    for (const name of ["first", "second", "third"]) {
      await createBudget(ctx, {
        name,
        scope: { type: "workspace" },
        unit: "tokens",
        limit: "1000000000000",
        period: "total",
        defaultEstimate: "1",
      });
    }
    const agentId = await ctx.transaction(async (tx) => {
      const { agent, appended } = await insertAgent(tx, {
        handle: "billing-7",
        name: "Billing",
        kind: "software",
      });
      append(tx, appended);
      return agent.id;
    });
    return { workspaceId, agentId };
  });
}

async function withServices<Result>(
  databaseUrl: string,
  use: (services: Awaited<ReturnType<typeof openServices>>) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), log);
  try {
    return await use(services);
  } finally {
    await services.close();
  }
}

/** 50 rules, of which one allows refunds up to 500, and one asks about larger ones. */
export function listRules(): PolicyRuleInput[] {
  const tools = { actions: ["tools/call"], resources: [{ type: "tool", name: "stripe.refund*" }] };
  return [
    { ...tools, name: "refunds", effect: "allow", when: "has(args.amount) && args.amount <= 500" },
    { ...tools, name: "large refunds", effect: "ask", when: "!has(args.amount) || args.amount > 500" },
    ...Array.from({ length: MATCHING - 2 }, (_, place): PolicyRuleInput => {
      const when = `has(args.amount) && args.amount > ${100_000 + place} && args.currency in ["EUR", "USD"]`;
      return { ...tools, name: `limit ${place}`, effect: "deny", when };
    }),
  ];
}

/** Policies about other tools, like the first. */
const OTHERS = `
WITH like_first AS (SELECT * FROM policy WHERE workspace_id = $1::uuid AND name = 'refunds'), inserted AS (
  INSERT INTO policy (workspace_id, id, name, enabled, mode, effect, actions, resources, "when", is_broad, index_keys,
    size, created_by, updated_by)
  SELECT p.workspace_id, gen_random_uuid(), 'other ' || n, true, p.mode, p.effect, p.actions,
    jsonb_build_array(jsonb_build_object('type', 'tool', 'name', 'server-' || n || '.tool*')), p."when", p.is_broad,
    p.index_keys, p.size, p.created_by, p.updated_by
  FROM like_first p, generate_series(1, $2::int) n
)
UPDATE workspace SET gate_generation = gate_generation + 1 WHERE id = $1::uuid`;
