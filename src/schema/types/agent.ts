import { AgentKind, ControlState, Presence } from "../../db/generated/enums.ts";
import { presenceOf } from "../../domain/agents/presence.ts";
import { listAgents } from "../../domain/agents/list-agents.ts";
import { readAgent } from "../../domain/agents/read-agent.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";

export const AgentKindEnum = enumOf("AgentKind", AgentKind, "What an agent is.");
export const ControlStateEnum = enumOf("ControlState", ControlState, "What operators let an agent do.");
const PresenceEnum = enumOf(
  "Presence",
  Presence,
  "Whether an agent is there: online with a live socket or seen in the last minute, stale within five minutes.",
);

/** The type of an agent, for the operations in other files. */
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
    labels: t.expose("labels", { type: "JSON" }),
    controlState: t.expose("controlState", { type: ControlStateEnum }),
    presence: t.field({
      type: PresenceEnum,
      resolve: ({ lastSeenAt }, _args, ctx) => presenceOf(lastSeenAt, ctx.services.live.now()),
    }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "To half a minute.",
    }),
    archivedAt: t.expose("archivedAt", { type: "DateTime", nullable: true }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const AgentFilter = builder.inputType("AgentFilter", {
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum }),
    labels: t.field({
      type: "JSON",
      description: "Labels that an agent has, among others: an object of texts.",
    }),
    archived: t.boolean(),
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
      // Held to its shape by the verb.
      const named = (labels ?? null) as Record<string, string> | null;
      return toConnection(await listAgents(ctx, page, { ...rest, labels: named }));
    },
  }),
}));
