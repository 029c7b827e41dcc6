import { AgentCommandStatus, CommandPriority } from "../../db/generated/enums.ts";
import { listAgentCommands } from "../../domain/agent-commands/list-agent-commands.ts";
import {
  type AgentCommandBatch,
  readAgentCommandBatch,
} from "../../domain/agent-commands/read-agent-command-batch.ts";
import { readAgentCommand } from "../../domain/agent-commands/read-agent-command.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";

const AgentCommandStatusEnum = addEnum("AgentCommandStatus", AgentCommandStatus, "Where a command stands.");

/** Whether a command jumps the queue, for the operations in other files. */
export const CommandPriorityEnum = addEnum(
  "CommandPriority",
  CommandPriority,
  "Whether a command jumps the queue.",
);

/** The type of a command, for the operations in other files. */
export const AgentCommand = builder.prismaNode("AgentCommand", {
  ...workspaceNode,
  description: "An order to one agent, delivered in turn until it is acknowledged.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null where the caller may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    seq: t.field({
      type: "Int",
      description: "The agent's own order of commands, from 1 and without a hole.",
      resolve: (command) => Number(command.seq),
    }),
    type: t.exposeString("type", { description: "Such as `agent.pause` or `mission.start`." }),
    params: t.expose("params", { type: "JSON" }),
    status: t.expose("status", { type: AgentCommandStatusEnum }),
    priority: t.expose("priority", { type: CommandPriorityEnum }),
    notBefore: t.expose("notBefore", { type: "DateTime", nullable: true }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    ackTimeoutSeconds: t.exposeInt("ackTimeoutSeconds", { description: "After it, it is delivered again." }),
    runTimeoutSeconds: t.exposeInt("runTimeoutSeconds", { description: "From when it was acknowledged." }),
    deliveryAttempts: t.exposeInt("deliveryAttempts", {
      description: "Since the agent last deferred it; 10 at most.",
    }),
    deliveredAt: t.expose("deliveredAt", { type: "DateTime", nullable: true }),
    acknowledgedAt: t.expose("acknowledgedAt", { type: "DateTime", nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    progress: t.exposeFloat("progress", { nullable: true, description: "0 to 1." }),
    statusDetail: t.exposeString("statusDetail", { nullable: true }),
    result: t.expose("result", { type: "JSON", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    late: t.exposeBoolean("late", { description: "Whether the result came after the time-out." }),
    issuedBy: t.field({ type: "Actor", resolve: (command) => toActorRecord(command.issuedBy) }),
    batchId: t.expose("batchId", { type: "UUID", nullable: true }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
    traceparent: t.exposeString("traceparent", { nullable: true }),
    generation: t.exposeInt("generation", {
      description: "Starts at 1 and grows with every change but of the progress.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const StatusCount = builder
  .objectRef<AgentCommandBatch["counts"][number]>("AgentCommandStatusCount")
  .implement({
    description: "How many commands are of a status.",
    fields: (t) => ({
      status: t.expose("status", { type: AgentCommandStatusEnum }),
      count: t.exposeInt("count"),
    }),
  });

const Batch = builder.objectRef<AgentCommandBatch>("AgentCommandBatch").implement({
  description: "The commands that were issued together, one to each agent.",
  fields: (t) => ({
    batchId: t.expose("batchId", { type: "UUID" }),
    total: t.exposeInt("total"),
    open: t.exposeInt("open", { description: "Those that may still come to something." }),
    counts: t.field({
      type: [StatusCount],
      description: "By status, where there are any.",
      resolve: ({ counts }) => counts,
    }),
  }),
});

const AgentCommandFilter = builder.inputType("AgentCommandFilter", {
  fields: (t) => ({
    status: t.field({ type: AgentCommandStatusEnum }),
    statuses: t.field({ type: [AgentCommandStatusEnum], description: "Any of these." }),
    type: t.string({ description: "Such as `agent.pause`." }),
    taskId: t.id(),
    missionId: t.id(),
    createdFrom: t.field({ type: "DateTime", description: "Counts in." }),
    createdTo: t.field({ type: "DateTime", description: "Does not count in." }),
    agentId: t.id({ description: "Commands to this agent." }),
    batchId: t.field({ type: "UUID", description: "Commands that were issued together." }),
    before: t.field({ type: "UUID", description: "Only those that come after this command in the list." }),
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
    description: "How the commands that were issued together stand.",
    args: { batchId: t.arg({ type: "UUID", required: true }) },
    resolve: (_root, { batchId }, ctx) => readAgentCommandBatch(ctx, batchId),
  }),
  agentCommands: t.connection({
    type: AgentCommand,
    description: "The commands given to the workspace's agents, newest first.",
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
