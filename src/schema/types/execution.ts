import { ExecutionEffect, ExecutionStatus } from "../../db/generated/enums.ts";
import { listExecutions } from "../../domain/executions/list-executions.ts";
import { readApprovedArguments } from "../../domain/executions/read-approved-arguments.ts";
import { readExecution } from "../../domain/executions/read-execution.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { toActorRecord } from "./actor.ts";

export const ExecutionStatusEnum = addEnum(
  "ExecutionStatus",
  ExecutionStatus,
  "The status of an execution. UNKNOWN: its lease ended without a report, or the agent does not know. RETRIED: a person had it done again.",
);

export const ExecutionEffectEnum = addEnum(
  "ExecutionEffect",
  ExecutionEffect,
  "What a failed execution has done.",
);

const loadApprovedArguments = createBatchLoader(readApprovedArguments);

export const Execution = builder.prismaNode("Execution", {
  ...workspaceNode,
  description:
    "One use of a permission: an agent does what was allowed, and says how it ended. Its id is the key for the effect.",
  // One field after the other.
  // oxlint-disable-next-line max-lines-per-function
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    approvalUuid: t.expose("approvalId", {
      type: "UUID",
      nullable: true,
      description: "Null if policies allowed it without a person.",
    }),
    useNumber: t.exposeInt("useNumber", {
      nullable: true,
      description: "Which use of the approval, from 1. Null without an approval, and for a retry.",
    }),
    decisionUuid: t.expose("decisionId", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null for callers who may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    action: t.exposeString("action"),
    resourceType: t.exposeString("resourceType"),
    resourceId: t.exposeString("resourceId"),
    requestHash: t.string({
      description: "SHA-256, in hex, of the canonical JSON of what was permitted.",
      resolve: ({ requestHash }) => Buffer.from(requestHash).toString("hex"),
    }),
    arguments: t.field({
      type: "JSON",
      nullable: true,
      description:
        "The arguments that an approver put in place of those that were asked for. Null if none did.",
      resolve: async ({ approvalId, requestHash }, _args, ctx) => {
        if (approvalId === null) return null;
        const approved = await loadApprovedArguments(ctx, approvalId);
        if (approved === undefined || Buffer.compare(approved.requestHash, requestHash) !== 0) return null;
        return approved.value;
      },
    }),
    fence: t.float({
      description:
        "A whole number, larger in each execution: whoever performs the effect can reject a smaller one.",
      resolve: ({ fence }) => Number(fence),
    }),
    status: t.expose("status", { type: ExecutionStatusEnum }),
    leaseExpiresAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Until when the agent must report or send a heartbeat. Null in lists.",
      resolve: (execution) => ("leaseExpiresAt" in execution ? execution.leaseExpiresAt : null),
    }),
    result: t.expose("result", { type: "JSON", nullable: true, description: "Without secrets." }),
    error: t.expose("error", { type: "JSON", nullable: true, description: "`code` and `message`." }),
    effect: t.expose("effect", { type: ExecutionEffectEnum, nullable: true }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true }),
    resolvedBy: t.field({
      type: "Actor",
      nullable: true,
      description: "The person who said how it ended.",
      resolve: ({ resolvedBy }) => (resolvedBy === null ? null : toActorRecord(resolvedBy)),
    }),
    resolvedReason: t.exposeString("resolvedReason", { nullable: true }),
    retryOfUuid: t.expose("retryOf", {
      type: "UUID",
      nullable: true,
      description: "The execution that a person had done again by this one.",
    }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    traceId: t.exposeString("traceId", { nullable: true }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const ExecutionFilter = builder.inputType("ExecutionFilter", {
  fields: (t) => ({
    status: t.field({ type: ExecutionStatusEnum }),
    agentId: t.id({ description: "Only executions of this agent." }),
    approvalId: t.id({ description: "Only uses of this approval, and their retries." }),
    decisionUuid: t.field({ type: "UUID", description: "Only executions of what this decision allowed." }),
  }),
});

builder.queryFields((t) => ({
  execution: t.prismaField({
    type: Execution,
    description: "One execution. Needs `gateway:read`, or `gateway:check` for an agent's own.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readExecution(ctx, { id: fromGlobalId("id", "Execution", id) }, query),
  }),
  executions: t.connection({
    type: Execution,
    description: "Executions, newest first: an agent without `gateway:read` sees its own.",
    args: { offset: t.arg.int(), filter: t.arg({ type: ExecutionFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      const approvalId = fromOptionalGlobalId("approvalId", "Approval", filter?.approvalId);
      const decisionId = filter?.decisionUuid;
      const asked = { status: filter?.status, agentId, approvalId, decisionId };
      return toConnection(await listExecutions(ctx, page, asked));
    },
  }),
}));
