import { createBudget } from "../../domain/budgets/create-budget.ts";
import { deleteBudget } from "../../domain/budgets/delete-budget.ts";
import { updateBudget } from "../../domain/budgets/update-budget.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import {
  AMOUNT,
  Budget,
  BudgetExpiryEnum,
  BudgetPeriodEnum,
  BudgetScopeEnum,
  BudgetUnitEnum,
  ThresholdAction,
} from "./budget.ts";

const ScopeInput = builder.inputType("BudgetScopeInput", {
  fields: (t) => ({
    type: t.field({ type: BudgetScopeEnum, required: true }),
    agentId: t.id({ description: "With `AGENT`." }),
    label: t.string({ description: "With `EACH_LABEL` and `LABEL`. Agents set their own labels." }),
    value: t.string({ description: "With `LABEL`." }),
  }),
});

const ThresholdInput = builder.inputType("BudgetThresholdInput", {
  fields: (t) => ({
    percent: t.int({ required: true, description: "1 to 100." }),
    action: t.field({ type: ThresholdAction, required: true }),
  }),
});

const THRESHOLDS = `At most ${LIMITS.budgetThresholds}, each with another percentage.`;
const ESTIMATE = "What is reserved where a caller does not say how much. Required unless calls are counted.";

builder.relayMutationField(
  "createBudget",
  {
    inputFields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      scope: t.field({ type: ScopeInput, required: true }),
      unit: t.field({ type: BudgetUnitEnum, required: true }),
      limit: t.string({ required: true, description: AMOUNT }),
      period: t.field({ type: BudgetPeriodEnum, required: true }),
      timeZone: t.string({ description: "An IANA name such as `Europe/Berlin`. Default: UTC." }),
      thresholds: t.field({ type: [ThresholdInput], description: THRESHOLDS }),
      defaultEstimate: t.string({ description: ESTIMATE }),
      onExpiry: t.field({ type: BudgetExpiryEnum, description: "Default: CHARGE." }),
      enabled: t.boolean({ description: "Default: true." }),
    }),
  },
  {
    description: "Creates a budget. For admins who entered their password recently.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, scope, name, unit, limit, period, ...fields } = input;
      const agentId = fromOptionalGlobalId("scope.agentId", "Agent", scope.agentId);
      const rule = { name, unit, limit, period, scope: { ...scope, agentId } };
      return { budget: await createBudget(ctx, { ...rule, ...omitNulls(fields) }) };
    },
  },
  { outputFields: (t) => ({ budget: t.field({ type: Budget, resolve: ({ budget }) => budget }) }) },
);

builder.relayMutationField(
  "updateBudget",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      limit: t.string({ description: `${AMOUNT} Holds at once, also for the current period.` }),
      thresholds: t.field({ type: [ThresholdInput], description: THRESHOLDS }),
      defaultEstimate: t.string({ description: ESTIMATE }),
      onExpiry: t.field({ type: BudgetExpiryEnum }),
      enabled: t.boolean(),
      ifGeneration: t.int({ description: "The generation that the caller read." }),
    }),
  },
  {
    description:
      "Changes a budget. Fields that are left out don't change; scope, unit, period and time zone never do. For admins who entered their password recently.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ...fields } = input;
      // For this field null is a value of its own.
      const description = fields.description === undefined ? {} : { description: fields.description };
      const changes = { ...omitNulls(fields), ...description };
      return { budget: await updateBudget(ctx, { ...changes, id: fromGlobalId("id", "Budget", id) }) };
    },
  },
  { outputFields: (t) => ({ budget: t.field({ type: Budget, resolve: ({ budget }) => budget }) }) },
);

builder.relayMutationField(
  "deleteBudget",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Deletes a budget with its sums. For admins who entered their password recently.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      budget: await deleteBudget(ctx, { id: fromGlobalId("id", "Budget", id) }),
    }),
  },
  { outputFields: (t) => ({ budget: t.field({ type: Budget, resolve: ({ budget }) => budget }) }) },
);
