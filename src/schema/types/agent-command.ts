import { AgentCommandStatus, CommandPriority } from "../../db/generated/enums.ts";
import { listAgentCommands } from "../../domain/agent-commands/list-agent-commands.ts";
import {
  type AgentCommandBatch,
  readAgentCommandBatch,
} from "../../domain/agent-commands/read-agent-command-batch.ts";
import { placeCommand } from "../../domain/agent-commands/command-span.ts";
import { readAgentCommand } from "../../domain/agent-commands/read-agent-command.ts";
import { toTraceparent } from "../../domain/kernel/server-span.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";

const AgentCommandStatusEnum = addEnum(
  "AgentCommandStatus",
  AgentCommandStatus,
  "The status of a command. AWAITING_APPROVAL: people are asked, and it is sent once they approve.",
);

export const CommandPriorityEnum = addEnum(
  "CommandPriority",
  CommandPriority,
  "Whether a command jumps the queue.",
);

export const AgentCommand = builder.prismaNode("AgentCommand", {
  ...workspaceNode,
  description: "An order to one agent. It is redelivered until the agent acknowledges it.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null if the caller may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    seq: t.field({
      type: "Int",
      description:
        "The command's number among this agent's commands, from 1. One that is approved gets the next number then.",
      resolve: (command) => Number(command.seq),
    }),
    type: t.exposeString("type", { description: "Such as `agent.pause` or `mission.start`." }),
    params: t.expose("params", { type: "JSON" }),
    status: t.expose("status", { type: AgentCommandStatusEnum }),
    priority: t.expose("priority", { type: CommandPriorityEnum }),
    notBefore: t.expose("notBefore", { type: "DateTime", nullable: true }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    ackTimeoutSeconds: t.exposeInt("ackTimeoutSeconds", {
      description: "If it is not acknowledged in this time, the command is delivered again.",
    }),
    runTimeoutSeconds: t.exposeInt("runTimeoutSeconds", { description: "Counted from the acknowledgement." }),
    deliveryAttempts: t.exposeInt("deliveryAttempts", {
      description: "Deliveries since the agent last deferred the command, at most 10.",
    }),
    deliveredAt: t.expose("deliveredAt", { type: "DateTime", nullable: true }),
    acknowledgedAt: t.expose("acknowledgedAt", { type: "DateTime", nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    progress: t.exposeFloat("progress", { nullable: true, description: "0 to 1." }),
    statusDetail: t.exposeString("statusDetail", { nullable: true }),
    result: t.expose("result", { type: "JSON", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    late: t.exposeBoolean("late", { description: "Whether the result arrived after the timeout." }),
    issuedBy: t.field({ type: "Actor", resolve: (command) => toActorRecord(command.issuedBy) }),
  }),
});

builder.prismaObjectFields(AgentCommand, (t) => ({
  batchId: t.expose("batchId", { type: "UUID", nullable: true }),
  taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
  missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
  decisionUuid: t.expose("decisionId", {
    type: "UUID",
    nullable: true,
    description: "What policies decided. Null if none is for such a command.",
  }),
  approvalUuid: t.expose("approvalId", {
    type: "UUID",
    nullable: true,
    description: "The question to people, if policies asked them.",
  }),
  traceparent: t.string({
    description: "The parent of the work's spans, as a W3C traceparent.",
    resolve: (command) => toTraceparent(placeCommand(command)),
  }),
  generation: t.exposeInt("generation", {
    description: "Starts at 1 and grows with every change except progress.",
  }),
  createdAt: t.expose("createdAt", { type: "DateTime" }),
  updatedAt: t.expose("updatedAt", { type: "DateTime" }),
}));

const StatusCount = builder
  .objectRef<AgentCommandBatch["counts"][number]>("AgentCommandStatusCount")
  .implement({
    description: "The number of commands with a status.",
    fields: (t) => ({
      status: t.expose("status", { type: AgentCommandStatusEnum }),
      count: t.exposeInt("count"),
    }),
  });

const Batch = builder.objectRef<AgentCommandBatch>("AgentCommandBatch").implement({
  description: "Commands that were issued together, one per agent.",
  fields: (t) => ({
    batchId: t.expose("batchId", { type: "UUID" }),
    total: t.exposeInt("total"),
    open: t.exposeInt("open", { description: "Commands that have not finished." }),
    counts: t.field({
      type: [StatusCount],
      description: "Statuses that no command has are left out.",
      resolve: ({ counts }) => counts,
    }),
  }),
});

const AgentCommandFilter = builder.inputType("AgentCommandFilter", {
  fields: (t) => ({
    status: t.field({ type: AgentCommandStatusEnum }),
    statuses: t.field({ type: [AgentCommandStatusEnum], description: "Matches any of these statuses." }),
    type: t.string({ description: "Such as `agent.pause`." }),
    taskId: t.id(),
    missionId: t.id(),
    traceId: t.string({ description: "Those that spans of a trace tell. 32 hexadecimal digits." }),
    createdFrom: t.field({ type: "DateTime", description: "Inclusive." }),
    createdTo: t.field({ type: "DateTime", description: "Exclusive." }),
    agentId: t.id({ description: "Only commands to this agent." }),
    batchId: t.field({ type: "UUID", description: "Only commands that were issued together." }),
    before: t.field({ type: "UUID", description: "Only commands that come after this one in the list." }),
  }),
});

builder.queryFields((t) => ({
  agentCommand: t.prismaField({
    type: AgentCommand,
    description: "One command.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readAgentCommand(ctx, fromGlobalId("id", "AgentCommand", id), query),
  }),
  agentCommandBatch: t.field({
    type: Batch,
    description: "The status of commands that were issued together.",
    args: { batchId: t.arg({ type: "UUID", required: true }) },
    resolve: (_root, { batchId }, ctx) => readAgentCommandBatch(ctx, batchId),
  }),
  agentCommands: t.connection({
    type: AgentCommand,
    description: "The commands of the workspace's agents, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: AgentCommandFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      const taskId = fromOptionalGlobalId("taskId", "Task", filter?.taskId);
      const missionId = fromOptionalGlobalId("missionId", "Mission", filter?.missionId);
      return toConnection(await listAgentCommands(ctx, page, { ...filter, agentId, taskId, missionId }));
    },
  }),
}));
