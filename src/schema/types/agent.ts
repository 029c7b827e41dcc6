import { AgentKind, ControlState } from "../../db/generated/enums.ts";
import { listAgents } from "../../domain/agents/list-agents.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { workspaceNode } from "../node.ts";

export const AgentKindEnum = enumOf("AgentKind", AgentKind, "What an agent is.");
const ControlStateEnum = enumOf("ControlState", ControlState, "What operators let an agent do.");

const Agent = builder.prismaNode("Agent", {
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

builder.queryFields((t) => ({
  agents: t.connection({
    type: Agent,
    description: "The workspace's agents, newest first.",
    args: { offset: t.arg.int() },
    complexity: pageComplexity,
    resolve: async (_root, page, ctx) => toConnection(await listAgents(ctx, page)),
  }),
}));
