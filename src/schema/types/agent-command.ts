import { AgentCommandStatus, CommandPriority } from "../../db/generated/enums.ts";
import { listAgentCommands } from "../../domain/agent-commands/list-agent-commands.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { workspaceNode } from "../node.ts";
import { actorOf } from "./actor.ts";

const AgentCommandStatusEnum = enumOf("AgentCommandStatus", AgentCommandStatus, "Where a command stands.");
const CommandPriorityEnum = enumOf("CommandPriority", CommandPriority, "Whether a command jumps the queue.");

const AgentCommand = builder.prismaNode("AgentCommand", {
  ...workspaceNode,
  description: "An order to one agent, delivered in turn until it is acknowledged.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    seq: t.field({
      type: "Int",
      description: "The agent's own order of commands, from 1.",
      resolve: (command) => Number(command.seq),
    }),
    type: t.exposeString("type", { description: "Such as `agent.pause` or `mission.start`." }),
    params: t.expose("params", { type: "JSON" }),
    status: t.expose("status", { type: AgentCommandStatusEnum }),
    priority: t.expose("priority", { type: CommandPriorityEnum }),
    notBefore: t.expose("notBefore", { type: "DateTime", nullable: true }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    ackTimeoutSeconds: t.exposeInt("ackTimeoutSeconds"),
    runTimeoutSeconds: t.exposeInt("runTimeoutSeconds"),
    deliveryAttempts: t.exposeInt("deliveryAttempts"),
    deliveredAt: t.expose("deliveredAt", { type: "DateTime", nullable: true }),
    acknowledgedAt: t.expose("acknowledgedAt", { type: "DateTime", nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    progress: t.exposeFloat("progress", { nullable: true, description: "0 to 1." }),
    statusDetail: t.exposeString("statusDetail", { nullable: true }),
    result: t.expose("result", { type: "JSON", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    late: t.exposeBoolean("late", { description: "Whether the result came after the time-out." }),
    issuedBy: t.field({ type: "Actor", resolve: (command) => actorOf(command.issuedBy) }),
    batchId: t.expose("batchId", { type: "UUID", nullable: true }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
    traceparent: t.exposeString("traceparent", { nullable: true }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const AgentCommandFilter = builder.inputType("AgentCommandFilter", {
  fields: (t) => ({ status: t.field({ type: AgentCommandStatusEnum }) }),
});

builder.queryFields((t) => ({
  agentCommands: t.connection({
    type: AgentCommand,
    description: "The commands given to the workspace's agents, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: AgentCommandFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listAgentCommands(ctx, page, { status: filter?.status })),
  }),
}));
