import { readWorkspace } from "../../domain/workspaces/read-workspace.ts";
import { updateWorkspace } from "../../domain/workspaces/update-workspace.ts";
import { RETENTION_DAYS, type RetentionSetting } from "../../domain/kernel/retention-days.ts";
import { DecisionDurability, DecisionLogMode, HookAllow } from "../../db/generated/enums.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { loadStopOfAll } from "./stop-state.ts";
import { StopType } from "./stop.ts";
import { CaptureContentEnum } from "./capture-content.ts";

export const HookAllowEnum = addEnum(
  "HookAllow",
  HookAllow,
  "What hooks of coding agents answer where the gateway allows a tool. NO_DECISION: the coding agent goes by its own rules, and may ask its user.",
);

const DecisionLogModeEnum = addEnum(
  "DecisionLogMode",
  DecisionLogMode,
  "Which decisions of the gateway are stored one by one. SAMPLED: all but permissions, and of those with the same agent, action, resource and policies 20 a minute on each server. All are counted.",
);

const DecisionDurabilityEnum = addEnum(
  "DecisionDurability",
  DecisionDurability,
  "When permissions are answered. BUFFERED: up to 20 ms before they are stored, so that a crash may lose them. STRICT: after they were stored. Denials and questions are always stored first.",
);

export const Workspace = builder.prismaObject("Workspace", {
  description: "A tenant. All rows belong to one.",
  fields: (t) => ({
    id: t.id({ resolve: (workspace) => toGlobalId("Workspace", workspace.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    slug: t.exposeString("slug"),
    name: t.exposeString("name"),
    revokesKeysOfSuspendedCreator: t.exposeBoolean("revokesKeysOfSuspendedCreator", {
      description: "Whether suspending a person also revokes the API keys that they created.",
    }),
    requireMfa: t.exposeBoolean("requireMfa", {
      description: "Whether members who log in by a password must have a second factor.",
    }),
    scimManaged: t.exposeBoolean("scimManaged", {
      description: "Whether an identity provider manages the members.",
    }),
    emergencyStopAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Since when all agents are stopped.",
      resolve: async ({ id }, _args, ctx) => (await loadStopOfAll(ctx, id))?.at ?? null,
    }),
    emergencyStopReason: t.string({
      nullable: true,
      resolve: async ({ id }, _args, ctx) => (await loadStopOfAll(ctx, id))?.reason ?? null,
    }),
    emergencyStop: t.field({
      type: StopType,
      nullable: true,
      description: "The oldest stop of all agents that stands. Stops of some are in `stops`.",
      resolve: async ({ id }, _args, ctx) => (await loadStopOfAll(ctx, id)) ?? null,
    }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.prismaObjectFields("Workspace", (t) => ({
  hookAllow: t.expose("hookAllow", { type: HookAllowEnum }),
  decisionLog: t.expose("decisionLog", { type: DecisionLogModeEnum }),
  decisionDurability: t.expose("decisionDurability", { type: DecisionDurabilityEnum }),
  eventRetentionDays: t.exposeInt("eventRetentionDays", {
    description: "How many days events are kept for resuming.",
  }),
  messageRetentionDays: t.exposeInt("messageRetentionDays", {
    description:
      "How many days messages are kept. Messages of an unfinished task or mission are kept with it.",
  }),
  taskRetentionDays: t.exposeInt("taskRetentionDays", {
    description:
      "How many days finished tasks are kept. Those that an unfinished task, mission or command refers " +
      "to are kept longer.",
  }),
  agentCommandRetentionDays: t.exposeInt("agentCommandRetentionDays", {
    description: "How many days finished commands are kept.",
  }),
  missionRetentionDays: t.exposeInt("missionRetentionDays", {
    description:
      "How many days finished missions are kept. A mission that waits that long for a robot expires.",
  }),
  evalRunRetentionDays: t.exposeInt("evalRunRetentionDays", {
    description:
      "How many days finished evaluation runs and their results are kept. Baselines and runs that " +
      "others were compared with are kept longer.",
  }),
  budgetRetentionDays: t.exposeInt("budgetRetentionDays", {
    description:
      "How many days sums of budgets are kept after their period, and reservations after their end.",
  }),
  decisionRetentionDays: t.exposeInt("decisionRetentionDays", {
    description: "How many days the gateway's decisions are kept.",
  }),
  approvalRetentionDays: t.exposeInt("approvalRetentionDays", {
    description:
      "How many days approvals are kept after their decision, with their reviews, and executions after their end. " +
      "Executions of which nobody knows how they ended are kept longer, and approvals with kept executions.",
  }),
  auditRetentionDays: t.exposeInt("auditRetentionDays", {
    nullable: true,
    description:
      "How many days the audit log is kept; null for ever. Only events that were exported and are " +
      "before a signed checkpoint are deleted.",
  }),
}));

builder.prismaObjectFields("Workspace", (t) => ({
  captureContent: t.expose("captureContent", { type: CaptureContentEnum }),
  auditContentReads: t.exposeBoolean("auditContentReads", {
    description: "Whether the audit log says which prompts, answers and arguments people read and export.",
  }),
  spansPerDay: t.exposeInt("spansPerDay", {
    description: "How many new spans are accepted in a day, in UTC. More are answered with 429.",
  }),
  traceRetentionDays: t.exposeInt("traceRetentionDays", {
    description: "How many days traces are kept, from when they began to arrive.",
  }),
  contentRetentionDays: t.exposeInt("contentRetentionDays", {
    description:
      "How many days prompts, answers and arguments in traces are kept. Never longer than the traces.",
  }),
  webhookDeliveryRetentionDays: t.exposeInt("webhookDeliveryRetentionDays", {
    description: "How many days deliveries to webhooks are kept. What is not delivered yet is kept longer.",
  }),
  mcpCallRetentionDays: t.exposeInt("mcpCallRetentionDays", {
    description:
      "How many days calls of MCP servers are kept after their end. Those of which nobody knows how they ended are " +
      "kept longer.",
  }),
}));

builder.queryFields((t) => ({
  workspace: t.prismaField({
    type: Workspace,
    description: "The caller's workspace.",
    resolve: (query, _root, _args, ctx) => readWorkspace(ctx, query),
  }),
}));

builder.relayMutationField(
  "updateWorkspace",
  {
    inputFields: (t) => ({
      name: t.string({ description: "1 to 100 characters." }),
      eventRetentionDays: t.int({ description: describeDays("eventRetentionDays") }),
      messageRetentionDays: t.int({ description: describeDays("messageRetentionDays") }),
      taskRetentionDays: t.int({ description: describeDays("taskRetentionDays") }),
      agentCommandRetentionDays: t.int({ description: describeDays("agentCommandRetentionDays") }),
      missionRetentionDays: t.int({ description: describeDays("missionRetentionDays") }),
      evalRunRetentionDays: t.int({ description: describeDays("evalRunRetentionDays") }),
      budgetRetentionDays: t.int({ description: describeDays("budgetRetentionDays") }),
      decisionRetentionDays: t.int({ description: describeDays("decisionRetentionDays") }),
      traceRetentionDays: t.int({ description: describeDays("traceRetentionDays") }),
      contentRetentionDays: t.int({ description: describeDays("contentRetentionDays") }),
      approvalRetentionDays: t.int({ description: describeDays("approvalRetentionDays") }),
      mcpCallRetentionDays: t.int({ description: describeDays("mcpCallRetentionDays") }),
      webhookDeliveryRetentionDays: t.int({ description: describeDays("webhookDeliveryRetentionDays") }),
      auditRetentionDays: t.int({
        description: `${describeDays("auditRetentionDays")} Null keeps the audit log for ever.`,
      }),
      revokesKeysOfSuspendedCreator: t.boolean({ description: "For owners." }),
      requireMfa: t.boolean({
        description: "For owners who have a second factor, or sign in by a provider.",
      }),
      hookAllow: t.field({ type: HookAllowEnum }),
      decisionLog: t.field({ type: DecisionLogModeEnum }),
      decisionDurability: t.field({ type: DecisionDurabilityEnum }),
      captureContent: t.field({ type: CaptureContentEnum }),
      auditContentReads: t.boolean(),
      spansPerDay: t.int({ description: "0 to 1,000,000,000." }),
    }),
  },
  {
    description: "Updates the workspace's settings. Fields that are left out don't change. For admins.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, ...fields } = input;
      // For this field null is a value of its own.
      const { auditRetentionDays: days } = fields;
      const audit = days === undefined ? {} : { auditRetentionDays: days };
      return { workspace: await updateWorkspace(ctx, { ...omitNulls(fields), ...audit }) };
    },
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
    }),
  },
);

function describeDays(setting: RetentionSetting): string {
  const { min, max } = RETENTION_DAYS[setting];
  return `${min} to ${max}.`;
}
