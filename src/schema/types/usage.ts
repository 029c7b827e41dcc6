import { validate as isUuid } from "uuid";
import { UsageDimension, UsagePeriod } from "../../db/generated/enums.ts";
import { type Repricing, repriceUsage } from "../../domain/traces/repricing/reprice-usage.ts";
import { type UsageSum, readUsage } from "../../domain/usage/read-usage.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { findTaskTitle } from "./task-title.ts";

const DimensionEnum = addEnum("UsageDimension", UsageDimension, "By what usage is summed.");
const PeriodEnum = addEnum("UsagePeriod", UsagePeriod, "How long the periods of sums are, in UTC.");

/** Many sums may be read for few that are shown. */
const USAGE_COST = 50;

/** Whose sum it is, with the dimension that says how to read its key. */
type Sum = UsageSum & { dimension: UsageDimension };

function getAgentId({ dimension, key }: Sum): string | null {
  const [id = ""] = key.split(" ", 1);
  return (dimension === "agent" || dimension === "agent_model") && isUuid(id) ? id : null;
}

function getModel({ dimension, key }: Sum): string | null {
  if (dimension === "model") return key;
  return dimension === "agent_model" ? key.slice(key.indexOf(" ") + 1) : null;
}

const MetricsType = builder.objectRef<UsageSum>("UsageMetrics").implement({
  description: "What agents' metrics say that their calls used. It is charged to nobody.",
  fields: (t) => ({
    inputTokens: t.exposeFloat("metricInputTokens", {
      description: "Of whole prompts, also what was cached.",
    }),
    cacheReadTokens: t.exposeFloat("metricCacheReadTokens"),
    cacheWriteTokens: t.exposeFloat("metricCacheWriteTokens"),
    outputTokens: t.exposeFloat("metricOutputTokens"),
    costUsd: t.expose("metricCostUsd", {
      type: "Decimal",
      description: "0 unless they say it.",
    }),
  }),
});

const SumType = builder.objectRef<Sum>("UsageSum").implement({
  description: "What was charged for an agent, a task, a model or all.",
  fields: (t) => ({
    start: t.expose("start", {
      type: "DateTime",
      nullable: true,
      description: "When its period began. Null if it is of the whole time.",
    }),
    agentUuid: t.field({ type: "UUID", nullable: true, resolve: getAgentId }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null if the caller may not read agents.",
      resolve: (sum, _args, ctx) => findAgentName(ctx, getAgentId(sum)),
    }),
    taskUuid: t.field({
      type: "UUID",
      nullable: true,
      description: "May have been deleted.",
      resolve: ({ dimension, key }) => (dimension === "task" ? key : null),
    }),
    taskTitle: t.string({
      nullable: true,
      description: "Null if the task has been deleted, or if the caller may not read tasks.",
      resolve: ({ dimension, key }, _args, ctx) => findTaskTitle(ctx, dimension === "task" ? key : null),
    }),
    model: t.string({
      nullable: true,
      description: "Empty if spans don't say it, and for all after the first 100 models of a day.",
      resolve: getModel,
    }),
    calls: t.exposeFloat("calls"),
    inputTokens: t.exposeFloat("inputTokens", { description: "Of whole prompts, also what was cached." }),
    cacheReadTokens: t.exposeFloat("cacheReadTokens"),
    cacheWriteTokens: t.exposeFloat("cacheWriteTokens"),
    outputTokens: t.exposeFloat("outputTokens"),
    costUsd: t.expose("costUsd", { type: "Decimal" }),
    unpricedCalls: t.exposeFloat("unpricedCalls", {
      description: "Calls whose cost nobody knows, and which `costUsd` does not have.",
    }),
    metrics: t.field({
      type: MetricsType,
      description: "To compare with what is charged. Most agents send none.",
      resolve: (sum) => sum,
    }),
  }),
});

const Report = builder.objectRef<{ sums: Sum[]; hasMore: boolean }>("UsageReport").implement({
  description: "What calls of models used, as it was charged.",
  fields: (t) => ({
    sums: t.field({ type: [SumType], resolve: ({ sums }) => sums }),
    hasMore: t.exposeBoolean("hasMore", { description: "Whether there are more than `first`." }),
  }),
});

builder.queryFields((t) => ({
  usage: t.field({
    type: Report,
    description:
      "What calls of models used, by whom, those that cost most first. Each call is charged once, in the hour in which " +
      "it was first heard of. Sums are kept for 400 days.",
    args: {
      dimension: t.arg({ type: DimensionEnum, required: true }),
      period: t.arg({ type: PeriodEnum, required: true, description: "Sums are of whole periods." }),
      from: t.arg({ type: "DateTime", description: "Required, but for ALL. At most 1,000 periods." }),
      to: t.arg({ type: "DateTime" }),
      perPeriod: t.arg.boolean({ description: "Whether each period has its own sums. Default false." }),
      first: t.arg.int({ description: "At most 1,000. Default 100." }),
    },
    complexity: USAGE_COST,
    resolve: async (_root, { dimension, period, from, to, perPeriod, first }, ctx) => {
      const { sums, hasMore } = await readUsage(ctx, {
        dimension,
        period,
        from,
        to,
        ...omitNulls({ perPeriod, first }),
      });
      return { sums: sums.map((sum) => ({ ...sum, dimension })), hasMore };
    },
  }),
}));

const RepricingType = builder.objectRef<Repricing>("Repricing").implement({
  description: "What prices as they are now change of calls.",
  fields: (t) => ({
    calls: t.exposeInt("calls", { description: "How many calls were looked at." }),
    changed: t.exposeInt("changed", { description: "How many of them cost another amount." }),
    fromUsd: t.expose("fromUsd", { type: "Decimal", description: "What is charged for these before." }),
    toUsd: t.expose("toUsd", { type: "Decimal", description: "What is charged for them afterwards." }),
    endCursor: t.exposeString("endCursor", {
      nullable: true,
      description: "Where to go on. Null after the last call.",
    }),
  }),
});

builder.relayMutationField(
  "repriceUsage",
  {
    inputFields: (t) => ({
      from: t.field({ type: "DateTime", required: true }),
      to: t.field({ type: "DateTime", required: true }),
      after: t.string({ description: "The `endCursor` of the request before." }),
      preview: t.boolean({ description: "Whether to change nothing. Default false." }),
    }),
  },
  {
    description:
      "Charges calls that first came in a time what they cost at the prices as they are now: those without a price, " +
      "and those whose price was computed. What senders said stays. Looks at up to 5,000 calls. For admins who " +
      "entered the password recently.",
    resolve: async (_root, { input: { from, to, after, preview } }, ctx) => ({
      repricing: await repriceUsage(ctx, { from, to, ...omitNulls({ after, preview }) }),
    }),
  },
  {
    outputFields: (t) => ({
      repricing: t.field({ type: RepricingType, resolve: ({ repricing }) => repricing }),
    }),
  },
);
