import { AlertMetric, AlertState } from "../../db/generated/enums.ts";
import { ALERT_RULES, COOLDOWN_SECONDS, FOR_SECONDS } from "../../domain/alerts/alert-rule.ts";
import { createAlertRule } from "../../domain/alerts/create-alert-rule.ts";
import { deleteAlertRule } from "../../domain/alerts/delete-alert-rule.ts";
import { listAlertRules } from "../../domain/alerts/list-alert-rules.ts";
import { readAlertRule } from "../../domain/alerts/read-alert-rule.ts";
import { updateAlertRule } from "../../domain/alerts/update-alert-rule.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { toActorRecord } from "./actor.ts";

const Metric = addEnum(
  "AlertMetric",
  AlertMetric,
  "What an alert rule watches. With a window: TASK_FAILURE_RATE, from 0 to 1 of the tasks that completed or failed, and COMMAND_ACK_P95, of the newest 10,000 commands in the window; COST_USD, in whole hours, the current one included. Of the moment: counts, ages of the oldest in seconds, and agents that were connected once and are offline.",
);
const State = addEnum(
  "AlertState",
  AlertState,
  "RESOLVED: it fired, and does not again for its cooldown. NO_DATA: nothing to measure in the window.",
);

const FOR = `How long the value must be above the threshold, in seconds: ${FOR_SECONDS.min} to ${FOR_SECONDS.max}.`;
const COOLDOWN = `How long it does not fire again after it was resolved, in seconds: ${COOLDOWN_SECONDS.min} to ${COOLDOWN_SECONDS.max}.`;
const WINDOW =
  "In seconds. 60 to 86,400 in whole minutes; of COST_USD 3,600 to 604,800 in whole hours; none for metrics of the moment.";

export const AlertRule = builder.prismaNode("AlertRule", {
  ...workspaceNode,
  description:
    "Fires while a metric is above a threshold: `alert.fired` and `alert.resolved` are events. Read every half minute, or less often if that takes long.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { description: "Unique in the workspace." }),
    description: t.exposeString("description", { nullable: true }),
    metric: t.expose("metric", { type: Metric }),
    agentUuid: t.expose("agentId", { type: "UUID", nullable: true, description: "Of this agent alone." }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null without one, and for callers who may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    label: t.exposeString("label", { nullable: true, description: "Of agents with this label and value." }),
    labelValue: t.exposeString("labelValue", { nullable: true }),
    queue: t.exposeString("queue", { nullable: true, description: "Of this queue alone." }),
    windowSeconds: t.exposeInt("windowSeconds", { nullable: true }),
    threshold: t.exposeFloat("threshold"),
    forSeconds: t.exposeInt("forSeconds", { description: FOR }),
    cooldownSeconds: t.exposeInt("cooldownSeconds", { description: COOLDOWN }),
    enabled: t.exposeBoolean("enabled"),
    state: t.expose("state", { type: State }),
    stateSince: t.expose("stateSince", { type: "DateTime" }),
    value: t.exposeFloat("value", {
      nullable: true,
      description: "When it was last read. It does not change the list's version.",
    }),
    firedAt: t.expose("firedAt", { type: "DateTime", nullable: true, description: "When it last fired." }),
    resolvedAt: t.expose("resolvedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last resolved.",
    }),
    evaluatedAt: t.expose("evaluatedAt", { type: "DateTime", nullable: true }),
    createdBy: t.field({ type: "Actor", resolve: (rule) => toActorRecord(rule.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (rule) => toActorRecord(rule.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const Filter = builder.inputType("AlertRuleFilter", {
  fields: (t) => ({ state: t.field({ type: State }), enabled: t.boolean() }),
});

builder.queryFields((t) => ({
  alertRule: t.prismaField({
    type: AlertRule,
    description: "One alert rule.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readAlertRule(ctx, { id: fromGlobalId("id", "AlertRule", id) }, query),
  }),
  alertRules: t.connection({
    type: AlertRule,
    description: "The workspace's alert rules, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: Filter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listAlertRules(ctx, page, filter ?? {})),
  }),
}));

const WatchedInput = builder.inputType("AlertRuleWatchedInput", {
  fields: (t) => ({
    agentId: t.id({ description: "TASK_FAILURE_RATE, COST_USD, COMMAND_ACK_P95 and what is offline." }),
    label: t.string({ description: "With `labelValue`, instead of an agent; not of COST_USD." }),
    labelValue: t.string(),
    queue: t.string({ description: "TASK_FAILURE_RATE, QUEUE_DEPTH and QUEUE_AGE." }),
  }),
});

builder.relayMutationField(
  "createAlertRule",
  {
    inputFields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      metric: t.field({ type: Metric, required: true }),
      watched: t.field({ type: WatchedInput, description: "Default: the whole workspace." }),
      windowSeconds: t.int({ description: WINDOW }),
      threshold: t.float({ required: true, description: "It fires above it." }),
      forSeconds: t.int({ description: `${FOR} Default: ${FOR_SECONDS.default}.` }),
      cooldownSeconds: t.int({ description: `${COOLDOWN} Default: ${COOLDOWN_SECONDS.default}.` }),
      enabled: t.boolean({ description: "Default: true." }),
    }),
  },
  {
    description: `Creates an alert rule. A workspace has at most ${ALERT_RULES}. For admins.`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, name, metric, threshold, watched, ...fields } = input;
      const agentId = fromOptionalGlobalId("watched.agentId", "Agent", watched?.agentId);
      const rule = { name, metric, threshold, ...omitNulls(fields) };
      return { alertRule: await createAlertRule(ctx, { ...rule, watched: { ...watched, agentId } }) };
    },
  },
  {
    outputFields: (t) => ({ alertRule: t.field({ type: AlertRule, resolve: ({ alertRule }) => alertRule }) }),
  },
);

builder.relayMutationField(
  "updateAlertRule",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      windowSeconds: t.int({ description: WINDOW }),
      threshold: t.float(),
      forSeconds: t.int({ description: FOR }),
      cooldownSeconds: t.int({ description: COOLDOWN }),
      enabled: t.boolean({ description: "A rule that is firing is resolved when it is disabled." }),
      ifGeneration: t.int({ description: "The generation that the caller read." }),
    }),
  },
  {
    description:
      "Changes an alert rule. Fields that are left out don't change; what it watches never does. For admins.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ...fields } = input;
      // For this field null is a value of its own.
      const description = fields.description === undefined ? {} : { description: fields.description };
      const changes = { ...omitNulls(fields), ...description };
      return {
        alertRule: await updateAlertRule(ctx, { ...changes, id: fromGlobalId("id", "AlertRule", id) }),
      };
    },
  },
  {
    outputFields: (t) => ({ alertRule: t.field({ type: AlertRule, resolve: ({ alertRule }) => alertRule }) }),
  },
);

builder.relayMutationField(
  "deleteAlertRule",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Deletes an alert rule. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      alertRule: await deleteAlertRule(ctx, { id: fromGlobalId("id", "AlertRule", id) }),
    }),
  },
  {
    outputFields: (t) => ({ alertRule: t.field({ type: AlertRule, resolve: ({ alertRule }) => alertRule }) }),
  },
);
