import type { Budget as BudgetRow } from "../../db/generated/client.ts";
import { BudgetExpiry, BudgetPeriod, BudgetScope, BudgetUnit } from "../../db/generated/enums.ts";
import { formatAmount } from "../../domain/budgets/budget-amount.ts";
import { THRESHOLD_ACTIONS, type Threshold } from "../../domain/budgets/budget-rule.ts";
import {
  type CurrentSum,
  SUM_ORDERS,
  type SumPage,
  listBudgetWindows,
} from "../../domain/budgets/list-budget-windows.ts";
import { listBudgets } from "../../domain/budgets/list-budgets.ts";
import { readBudget } from "../../domain/budgets/read-budget.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { toActorRecord } from "./actor.ts";

export const BudgetScopeEnum = addEnum(
  "BudgetScope",
  BudgetScope,
  "Whose use counts: one sum, or one for each agent or each value of a label.",
);
export const BudgetUnitEnum = addEnum("BudgetUnit", BudgetUnit, "What a budget counts.");
export const BudgetPeriodEnum = addEnum("BudgetPeriod", BudgetPeriod, "When a budget's sums start anew.");
export const BudgetExpiryEnum = addEnum(
  "BudgetExpiry",
  BudgetExpiry,
  "Whether a reservation that nobody settled in time counts as used, or is given back.",
);
export const ThresholdAction = addEnum(
  "ThresholdAction",
  toEnumValues(THRESHOLD_ACTIONS),
  "WARN is an event only, PAUSE pauses the agents, and ASK has later permissions approved by a person.",
);

const SumOrder = addEnum(
  "BudgetSumOrder",
  toEnumValues(SUM_ORDERS),
  "FULLEST: those of which the largest share is used or reserved come first.",
);

const ScopeRule = builder
  .objectRef<Pick<BudgetRow, "scope" | "scopeAgentId" | "scopeLabel" | "scopeValue">>("BudgetScopeRule")
  .implement({
    description: "Whose use counts in a budget. Agents set their own labels.",
    fields: (t) => ({
      type: t.expose("scope", { type: BudgetScopeEnum }),
      agentUuid: t.expose("scopeAgentId", { type: "UUID", nullable: true, description: "With `AGENT`." }),
      agent: t.field({
        type: AgentNameType,
        nullable: true,
        description: "With `AGENT`. Null for callers who may not read agents.",
        resolve: ({ scopeAgentId }, _args, ctx) => findAgentName(ctx, scopeAgentId),
      }),
      label: t.exposeString("scopeLabel", { nullable: true, description: "With `EACH_LABEL` and `LABEL`." }),
      value: t.exposeString("scopeValue", { nullable: true, description: "With `LABEL`." }),
    }),
  });

const ThresholdType = builder.objectRef<Threshold>("BudgetThreshold").implement({
  description: "What happens when a share of the limit is used or reserved. Once in each window.",
  fields: (t) => ({
    percent: t.exposeInt("percent"),
    action: t.expose("action", { type: ThresholdAction }),
  }),
});

const Sum = builder.objectRef<CurrentSum & Pick<BudgetRow, "unit" | "scope">>("BudgetSum").implement({
  description: "What was used and reserved of a budget in its current period.",
  fields: (t) => ({
    subject: t.exposeString("subject", {
      description: "The agent's uuid or the label's value; empty if the budget has one sum.",
    }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description:
        "The agent of `subject`. Null if the sum isn't one agent's, or if the caller may not read agents.",
      resolve: ({ subject, scope }, _args, ctx) =>
        findAgentName(ctx, scope === "each_agent" ? subject : null),
    }),
    limit: t.string({ resolve: ({ unit, limitAmount }) => formatAmount(unit, limitAmount) }),
    used: t.string({ resolve: ({ unit, used }) => formatAmount(unit, used) }),
    reserved: t.string({ resolve: ({ unit, reserved }) => formatAmount(unit, reserved) }),
    assumed: t.string({
      description:
        "What of `used` was charged when reservations expired: nobody said how much it was. People can give it back.",
      resolve: ({ unit, assumed }) => formatAmount(unit, assumed),
    }),
    reported: t.string({
      description:
        "What of `used` telemetry says that calls used for which nothing was reserved: it may pass the limit.",
      resolve: ({ unit, reported }) => formatAmount(unit, reported),
    }),
    firedPercent: t.exposeInt("firedPercent", { description: "The highest threshold that was reached." }),
    startsAt: t.expose("windowStart", { type: "DateTime" }),
    endsAt: t.expose("windowEnd", { type: "DateTime", nullable: true }),
  }),
});

/** Keys have the arguments, so that each is read for all budgets of an answer at once. */
const loadWindows = createBatchLoader<CurrentSum[]>(async (ctx, keys) => {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const [id, page] = splitKey(key);
    groups.set(page, [...(groups.get(page) ?? []), id]);
  }
  const found = new Map<string, CurrentSum[]>();
  for (const [page, ids] of groups) {
    // Written by the resolver below.
    const sums = await listBudgetWindows(ctx, ids, JSON.parse(page) as SumPage);
    for (const [id, list] of sums) found.set(`${id} ${page}`, list);
  }
  return found;
});

function splitKey(key: string): [string, string] {
  const end = key.indexOf(" ");
  return [key.slice(0, end), key.slice(end + 1)];
}

/** How amounts are written. */
export const AMOUNT = "Dollars as `12.50`, tokens and calls as a whole number.";

export const Budget = builder.prismaNode("Budget", {
  ...workspaceNode,
  description: "The most that agents may use within a period.",
  // One field after the other.
  // oxlint-disable-next-line max-lines-per-function
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { description: "Unique in the workspace." }),
    description: t.exposeString("description", { nullable: true }),
    scope: t.field({ type: ScopeRule, resolve: (budget) => budget }),
    unit: t.expose("unit", { type: BudgetUnitEnum }),
    limit: t.string({
      description: AMOUNT,
      resolve: ({ unit, limitAmount }) => formatAmount(unit, limitAmount),
    }),
    period: t.expose("period", { type: BudgetPeriodEnum }),
    timeZone: t.exposeString("timeZone", { description: "Where days and months begin." }),
    thresholds: t.field({
      type: [ThresholdType],
      description: "In order.",
      // A column of the row: nothing is read for it.
      complexity: { field: 1, multiplier: 1 },
      // Parsed when they were stored.
      resolve: ({ thresholds }) => thresholds as Threshold[],
    }),
    defaultEstimate: t.string({
      nullable: true,
      description: "What is reserved where a caller does not say how much. Null for calls, which count as 1.",
      resolve: ({ unit, defaultEstimate }) =>
        defaultEstimate === null ? null : formatAmount(unit, defaultEstimate),
    }),
    onExpiry: t.expose("onExpiry", { type: BudgetExpiryEnum }),
    enabled: t.exposeBoolean("enabled"),
    windows: t.field({
      type: [Sum],
      description: `The sums of the current period, by subject unless \`order\` says otherwise: at most \`first\` (default ${LIMITS.budgetWindows.default}, at most ${LIMITS.budgetWindows.max}). One that nothing was reserved of does not exist yet.`,
      args: {
        first: t.arg.int(),
        after: t.arg.string({ description: "Only subjects after this one. Not with FULLEST." }),
        order: t.arg({ type: SumOrder }),
      },
      // The fullest are found among all.
      complexity: ({ first, order }) => ({
        field: order === "fullest" ? 20 : 1,
        multiplier: Math.min(Math.max(first ?? LIMITS.budgetWindows.default, 1), LIMITS.budgetWindows.max),
      }),
      resolve: async ({ id, unit, scope }, { first, after, order }, ctx) => {
        const page = {
          first: first ?? LIMITS.budgetWindows.default,
          after: after ?? null,
          order: order ?? "subject",
        };
        const sums = await loadWindows(ctx, `${id} ${JSON.stringify(page)}`);
        return (sums ?? []).map((sum) => ({ ...sum, unit, scope }));
      },
    }),
    createdBy: t.field({ type: "Actor", resolve: (budget) => toActorRecord(budget.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (budget) => toActorRecord(budget.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const BudgetFilter = builder.inputType("BudgetFilter", {
  fields: (t) => ({ unit: t.field({ type: BudgetUnitEnum }), enabled: t.boolean() }),
});

builder.queryFields((t) => ({
  budget: t.prismaField({
    type: Budget,
    description: "One budget.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => readBudget(ctx, { id: fromGlobalId("id", "Budget", id) }, query),
  }),
  budgets: t.connection({
    type: Budget,
    description: "The workspace's budgets, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: BudgetFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listBudgets(ctx, page, filter ?? {})),
  }),
}));
