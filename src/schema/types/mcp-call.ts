import { listMcpCalls } from "../../domain/mcp/list-mcp-calls.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromOptionalGlobalId, toGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { ExecutionStatusEnum } from "./execution.ts";

const McpCall = builder.prismaNode("McpCall", {
  ...workspaceNode,
  description:
    "A call of a tool that the proxy passed on to an MCP server. What policies denied is a decision and no call.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID", description: "That of its execution, too." }),
    serverId: t.id({ resolve: ({ serverId }) => toGlobalId("McpServer", serverId) }),
    serverSlug: t.exposeString("serverSlug", { description: "The server may be deleted by now." }),
    tool: t.exposeString("tool"),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null for callers who may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    decisionUuid: t.expose("decisionId", { type: "UUID" }),
    approvalUuid: t.expose("approvalId", {
      type: "UUID",
      nullable: true,
      description: "Null if policies allowed it without a person.",
    }),
    definitionHash: t.string({
      description: "That of the definition by which the tool was called, as in `McpTool.hash`.",
      resolve: ({ definitionHash }) => Buffer.from(definitionHash).toString("hex"),
    }),
    protocolVersion: t.exposeString("protocolVersion"),
    status: t.expose("status", {
      type: ExecutionStatusEnum,
      description: "UNKNOWN: the connection ended after the request had been sent, and nobody knows.",
    }),
    isError: t.exposeBoolean("isError", {
      nullable: true,
      description: "Whether the server answered an error. Null if it gave no answer.",
    }),
    requestBytes: t.exposeInt("requestBytes"),
    answerBytes: t.exposeInt("answerBytes", { nullable: true }),
    durationMs: t.exposeInt("durationMs", { nullable: true, description: "How long the server took." }),
    traceId: t.exposeString("traceId", { nullable: true }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const McpCallFilter = builder.inputType("McpCallFilter", {
  fields: (t) => ({
    serverId: t.id(),
    tool: t.string({ description: "Its name." }),
    agentId: t.id(),
    status: t.field({ type: ExecutionStatusEnum }),
  }),
});

builder.queryFields((t) => ({
  mcpCalls: t.connection({
    type: McpCall,
    description: "The calls that the proxy passed on to MCP servers, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: McpCallFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const serverId = fromOptionalGlobalId("filter.serverId", "McpServer", filter?.serverId);
      const agentId = fromOptionalGlobalId("filter.agentId", "Agent", filter?.agentId);
      const { tool, status } = filter ?? {};
      return toConnection(await listMcpCalls(ctx, page, { serverId, agentId, tool, status }));
    },
  }),
}));
