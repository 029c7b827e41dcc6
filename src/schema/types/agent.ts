import { AgentKind, ControlState, Presence } from "../../db/generated/enums.ts";
import { getPresence } from "../../domain/agents/presence.ts";
import { listAgents } from "../../domain/agents/list-agents.ts";
import { readAgent } from "../../domain/agents/read-agent.ts";
import { type CurrentTask, readCurrentTasks } from "../../domain/tasks/read-current-tasks.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { StopStateEnum, loadControlState, loadStopState } from "./stop-state.ts";
import { TaskStatusEnum } from "./task.ts";
import { CaptureContentEnum } from "./capture-content.ts";

export const AgentKindEnum = addEnum("AgentKind", AgentKind, "The kind of an agent.");
export const ControlStateEnum = addEnum(
  "ControlState",
  ControlState,
  "What an agent may do, as operators set it.",
);
const PresenceEnum = addEnum(
  "Presence",
  Presence,
  "Whether an agent is connected: ONLINE with an open socket or seen in the last minute, STALE if " +
    "seen in the last five minutes.",
);

const CurrentTaskType = builder.objectRef<CurrentTask>("CurrentTask").implement({
  description: "A task that an agent holds.",
  fields: (t) => ({
    id: t.id({ description: "The task's id.", resolve: ({ id }) => toGlobalId("Task", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    title: t.exposeString("title"),
    status: t.expose("status", { type: TaskStatusEnum }),
    progress: t.exposeFloat("progress", { nullable: true, description: "0 to 1." }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
  }),
});

const loadCurrentTasks = createBatchLoader(readCurrentTasks);

export const Agent = builder.prismaNode("Agent", {
  ...workspaceNode,
  description: "A machine that works in the workspace: software or a robot.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    handle: t.exposeString("handle", { description: "Unique in the workspace." }),
    name: t.exposeString("name"),
    kind: t.expose("kind", { type: AgentKindEnum }),
    version: t.exposeString("version", { nullable: true }),
    description: t.exposeString("description", { nullable: true }),
    capabilities: t.expose("capabilities", { type: "JSON" }),
    labels: t.expose("labels", {
      type: "JSON",
      description: "Short strings that admins set, never the agent.",
    }),
    controlState: t.field({
      type: ControlStateEnum,
      description:
        "What the agent may do: STOPPED if an emergency stop covers it, otherwise its ownControlState.",
      resolve: async ({ id }, _args, ctx) => (await loadControlState(ctx, id)) ?? "stopped",
    }),
    ownControlState: t.expose("controlState", {
      type: ControlStateEnum,
      description: "What operators set for this agent. It applies again after an emergency stop is released.",
    }),
    stopState: t.field({
      type: StopStateEnum,
      nullable: true,
      description:
        "Whether the agent has confirmed the stops that cover it. Null if there is none, or if the agent is " +
        "archived or was created since.",
      resolve: async ({ id }, _args, ctx) => (await loadStopState(ctx, id)) ?? null,
    }),
    presence: t.field({
      type: PresenceEnum,
      resolve: ({ lastSeenAt }, _args, ctx) => getPresence(lastSeenAt, ctx.services.live.now()),
    }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "Accurate to half a minute.",
    }),
    currentTasks: t.field({
      type: [CurrentTaskType],
      description: "Tasks that the agent holds now, at most 5. Empty if the caller may not read tasks.",
      complexity: { field: 1, multiplier: 2 },
      resolve: async ({ id }, _args, ctx) => (await loadCurrentTasks(ctx, id)) ?? [],
    }),
    archivedAt: t.expose("archivedAt", { type: "DateTime", nullable: true }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.prismaObjectFields(Agent, (t) => ({
  captureContent: t.expose("captureContent", {
    type: CaptureContentEnum,
    nullable: true,
    description:
      "What is stored of prompts, answers and arguments in its traces, where that is less than the workspace's " +
      "setting says. Null for that setting.",
  }),
}));

const AgentFilter = builder.inputType("AgentFilter", {
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum }),
    labels: t.field({
      type: "JSON",
      description: "Only agents that have all of these labels: an object of strings.",
    }),
    archived: t.boolean(),
    controlState: t.field({ type: ControlStateEnum }),
    presence: t.field({ type: PresenceEnum }),
    search: t.string({ description: "A part of the handle or the name, 1 to 100 characters." }),
  }),
});

builder.queryFields((t) => ({
  agent: t.prismaField({
    type: Agent,
    description: "One agent.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => readAgent(ctx, fromGlobalId("id", "Agent", id), query),
  }),
  agents: t.connection({
    type: Agent,
    description: "The workspace's agents, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: AgentFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const { labels, ...rest } = filter ?? {};
      // listAgents() validates the shape.
      const named = (labels ?? null) as Record<string, string> | null;
      return toConnection(await listAgents(ctx, page, { ...rest, labels: named }));
    },
  }),
}));
