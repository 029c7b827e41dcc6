import type { Execution } from "../../db/generated/client.ts";
import { DecisionOutcome, DecisionReason } from "../../db/generated/enums.ts";
import type { MatchedPolicy } from "../../domain/decisions/decision-row.ts";
import { listDecisions } from "../../domain/decisions/list-decisions.ts";
import { readDecision } from "../../domain/decisions/read-decision.ts";
import { checkRequest } from "../../domain/gateway-checks/check-request.ts";
import { CHECK_STATUSES, type GatewayCheck } from "../../domain/gateway-checks/gateway-check.ts";
import { readWorkspace } from "../../domain/workspaces/read-workspace.ts";
import { hasScope } from "../../domain/kernel/has-scope.ts";
import type { ExceededBudget } from "../../domain/kernel/errors.ts";
import { Reservation } from "./reservation.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { Approval } from "./approval.ts";
import { AgentNameType, findAgentName, findResourceAgent } from "./agent-name.ts";
import { PolicyEffectEnum, PolicyModeEnum } from "./policy-rule.ts";
import { BudgetUnitEnum } from "./budget.ts";
import { HookAllowEnum } from "./workspace.ts";

export const DecisionOutcomeEnum = addEnum(
  "DecisionOutcome",
  DecisionOutcome,
  "What the gateway decided. ASK denies until a person approves.",
);

export const DecisionReasonEnum = addEnum("DecisionReason", DecisionReason, "Why the gateway decided so.");

const DecisionPolicy = builder.objectRef<MatchedPolicy>("DecisionPolicy").implement({
  description: "A policy that a request was checked by, as it was then.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    generation: t.exposeInt("generation"),
    name: t.exposeString("name"),
    effect: t.expose("effect", { type: PolicyEffectEnum }),
    mode: t.expose("mode", { type: PolicyModeEnum }),
    error: t.string({
      nullable: true,
      description: "Why its condition could not be evaluated. Null if it held.",
      resolve: ({ result }) => (typeof result === "string" ? result : null),
    }),
    decided: t.exposeBoolean("decided", { description: "Whether it made the outcome." }),
  }),
});

const Decision = builder.prismaNode("Decision", {
  ...workspaceNode,
  description:
    "What the gateway decided about one request. Kept as long as the workspace's `decisionRetentionDays`.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", {
      type: "UUID",
      nullable: true,
      description: "The agent that asked. Null if it was a person, who is the subject.",
    }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null for a person, and if the caller may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    subject: t.expose("subject", {
      type: "JSON",
      nullable: true,
      description: "Who would act, as `{type, id, name?}`. Null for the agent itself.",
    }),
    action: t.exposeString("action"),
    resourceType: t.exposeString("resourceType"),
    resourceId: t.exposeString("resourceId"),
    resourceAgent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "The agent that is the resource, if it is named by its id and the caller may read agents.",
      resolve: (row, _args, ctx) => findResourceAgent(ctx, row),
    }),
  }),
});

builder.prismaObjectFields(Decision, (t) => ({
  outcome: t.expose("outcome", { type: DecisionOutcomeEnum }),
  reason: t.expose("reason", { type: DecisionReasonEnum }),
  policies: t.field({
    type: [DecisionPolicy],
    description: "Policies that applied, and those whose condition could not be evaluated. At most 50.",
    // A column of the row: nothing is read for it.
    complexity: { field: 1, multiplier: 1 },
    // Written by the gateway.
    resolve: ({ matched }) => (matched as MatchedPolicy[]).filter(({ result }) => result !== false),
  }),
  would: t.expose("would", {
    type: DecisionOutcomeEnum,
    nullable: true,
    description: "The outcome if monitored policies counted, where it is another one.",
  }),
  request: t.expose("request", {
    type: "JSON",
    nullable: true,
    description: "The request without secrets. Null if it has more than 16 KiB.",
  }),
  requestHash: t.string({
    description:
      "SHA-256, in hex, of the canonical JSON of what was asked. Approvals and executions are bound to it.",
    resolve: ({ requestHash }) => Buffer.from(requestHash).toString("hex"),
  }),
  taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
  traceId: t.exposeString("traceId", { nullable: true }),
  requestId: t.exposeString("requestId", { nullable: true }),
  latencyMicroseconds: t.exposeInt("latencyUs"),
  createdAt: t.expose("createdAt", { type: "DateTime" }),
}));

const DecisionFilter = builder.inputType("DecisionFilter", {
  fields: (t) => ({
    outcome: t.field({ type: DecisionOutcomeEnum }),
    agentId: t.id({ description: "Only what this agent asked." }),
    taskId: t.id({ description: "Not together with `agentId` or `outcome`." }),
    traceId: t.string({ description: "Those that spans of a trace tell. 32 hexadecimal digits." }),
    from: t.field({ type: "DateTime" }),
    until: t.field({ type: "DateTime", description: "Exclusive." }),
  }),
});

builder.queryFields((t) => ({
  decision: t.prismaField({
    type: Decision,
    description: "One decision of the gateway.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readDecision(ctx, { id: fromGlobalId("id", "Decision", id) }, query),
  }),
  decisions: t.connection({
    type: Decision,
    description: "What the gateway decided, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: DecisionFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      const taskId = fromOptionalGlobalId("taskId", "Task", filter?.taskId);
      return toConnection(await listDecisions(ctx, page, { ...filter, agentId, taskId }));
    },
  }),
}));

const CheckStatusEnum = addEnum(
  "GatewayCheckStatus",
  toEnumValues(CHECK_STATUSES),
  "What a check says. PENDING: people are asked.",
);

const StartedExecution = builder
  .objectRef<GatewayCheck & { execution: Execution }>("StartedExecution")
  .implement({
    description: "The execution that the use of an approval opened.",
    fields: (t) => ({
      uuid: t.field({ type: "UUID", resolve: ({ execution }) => execution.id }),
      fence: t.float({
        description:
          "A whole number, larger in each execution: whoever performs the effect can reject a smaller one.",
        resolve: ({ execution }) => Number(execution.fence),
      }),
      leaseExpiresAt: t.field({
        type: "DateTime",
        description: "Until when the agent must report or send a heartbeat.",
        resolve: ({ execution }) => execution.leaseExpiresAt,
      }),
      arguments: t.field({
        type: "JSON",
        nullable: true,
        description:
          "The arguments that approvers put in the place of the agent's: execute these. Else null.",
        resolve: ({ approval }) => approval?.editedArguments ?? null,
      }),
    }),
  });

export const ExceededBudgetType = builder.objectRef<ExceededBudget>("ExceededBudget").implement({
  description: "A budget without room, as it was then. Dollars are decimals.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name"),
    unit: t.expose("unit", { type: BudgetUnitEnum }),
    limit: t.exposeString("limit"),
    used: t.exposeString("used"),
    reserved: t.exposeString("reserved"),
  }),
});

export const GatewayCheckType = builder.objectRef<GatewayCheck>("GatewayCheck").implement({
  description: "What the gateway says to a request.",
  // One field after the other.
  // oxlint-disable-next-line max-lines-per-function
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID", description: "The decision's id." }),
    status: t.expose("status", { type: CheckStatusEnum }),
    allowed: t.boolean({ resolve: ({ status }) => status === "allowed" }),
    reason: t.expose("reason", { type: DecisionReasonEnum }),
    decidedAt: t.expose("decidedAt", { type: "DateTime" }),
    policies: t.stringList({
      nullable: true,
      description: "The names of the policies that decided. Null without `gateway:read`.",
      resolve: ({ policies }, _args, ctx) =>
        hasScope(ctx, "gateway:read") ? policies.map(({ name }) => name) : null,
    }),
    policyUuid: t.field({
      type: "UUID",
      nullable: true,
      description: "The id of the first of them.",
      resolve: ({ policies: [policy] }, _args, ctx) =>
        hasScope(ctx, "gateway:read") ? (policy?.id ?? null) : null,
    }),
    hookAllow: t.field({
      type: HookAllowEnum,
      description: "What hooks of coding agents answer where the gateway allows a tool.",
      resolve: async (_check, _args, ctx) =>
        (await readWorkspace(ctx, { select: { hookAllow: true } })).hookAllow,
    }),
    approval: t.field({
      type: Approval,
      nullable: true,
      description: "The question to people, if they were asked.",
      resolve: ({ approval }) => approval,
    }),
    execution: t.field({
      type: StartedExecution,
      nullable: true,
      description: "If an approval was used.",
      resolve: ({ execution, ...check }) => (execution === null ? null : { ...check, execution }),
    }),
    reservation: t.field({
      type: Reservation,
      nullable: true,
      description: "What was reserved of budgets. Null if none applies, and unless it is allowed.",
      resolve: ({ reservation }) => reservation,
    }),
    budget: t.field({
      type: ExceededBudgetType,
      nullable: true,
      description: "The budget without room, for which it is denied.",
      resolve: ({ budget }) => budget,
    }),
    requestableUntil: t.expose("requestableUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when `requestAccess` asks people about this denial. Null if it can't.",
    }),
  }),
});

builder.relayMutationField(
  "checkGateway",
  {
    inputFields: (t) => ({
      requestText: t.string({
        required: true,
        description:
          "The request as JSON text, at most 256 KiB: `subject` (default: the caller), `action`, `resource` and `context`. With `approval.id` in its context, uses that approval and no other.",
      }),
      autoRequest: t.boolean({
        description: "Whether to use an approval, and to ask people if there is none. Default true.",
      }),
      waitSeconds: t.int({ description: "How long to wait for people, 0 to 25. Default 0." }),
      acceptEdits: t.boolean({
        description: "Whether you execute other arguments if people change them. Default false.",
      }),
      reevaluates: t.boolean({
        description:
          "As AuthZEN's evaluation: an approval in the request's context that can't be found is a denial, and nobody reports how its execution ends. Default false.",
      }),
      sessionKey: t.string({
        description:
          "Your own name for this call, at most 401 characters. The same request with the same key gives the same execution until that has ended, and can end it without its id.",
      }),
    }),
  },
  {
    description: "Asks whether the calling agent may do something. Needs `gateway:check`.",
    resolve: async (_root, { input: { clientMutationId: _id, requestText, ...options } }, ctx) => ({
      check: await checkRequest(ctx, { requestText, ...omitNulls(options) }),
    }),
  },
  {
    outputFields: (t) => ({ check: t.field({ type: GatewayCheckType, resolve: ({ check }) => check }) }),
  },
);
