import { McpToolStatus } from "../../db/generated/enums.ts";
import { listMcpTools } from "../../domain/mcp/list-mcp-tools.ts";
import { type McpToolTraffic, readMcpToolTraffic } from "../../domain/mcp/read-mcp-tool-traffic.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { reviewMcpTools } from "../../domain/mcp/review-mcp-tools.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { addEnum } from "../enum.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";

const McpToolStatusEnum = addEnum(
  "McpToolStatus",
  McpToolStatus,
  "Agents see and call approved tools only. Changed and gone ones were approved before.",
);

const NO_TRAFFIC: McpToolTraffic = { calls: 0, denials: 0 };

const loadTraffic = createBatchLoader<McpToolTraffic>(readMcpToolTraffic);

const Traffic = builder.objectRef<McpToolTraffic>("McpToolTraffic").implement({
  description: "What agents did with a tool in the last 24 hours.",
  fields: (t) => ({
    calls: t.exposeInt("calls", {
      description: `Calls that were passed on, counted up to ${LIMITS.mcpCountedCalls}.`,
    }),
    denials: t.exposeInt("denials", {
      description: `Calls that policies denied, among the newest ${LIMITS.mcpCountedDenials} denials of the workspace.`,
    }),
  }),
});

const McpTool = builder.prismaNode("McpTool", {
  ...workspaceNode,
  description: "A tool of an MCP server. In policies it is the resource `<slug>.<name>` of type `tool`.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    serverId: t.id({ resolve: ({ serverId }) => toGlobalId("McpServer", serverId) }),
    name: t.exposeString("name", { description: "As the server says: it may contain any characters." }),
    status: t.expose("status", { type: McpToolStatusEnum }),
    definition: t.expose("definition", {
      type: "JSON",
      description: "As the server defines it now. Its text is not to be trusted.",
    }),
    hash: t.string({
      description: "SHA-256 of the definition's canonical JSON, in hexadecimal. A review names it.",
      resolve: ({ hash }) => toHex(hash),
    }),
    approvedDefinition: t.expose("approvedDefinition", {
      type: "JSON",
      nullable: true,
      description: "As it was last approved: what agents see.",
    }),
    reviewedBy: t.field({
      type: "Actor",
      nullable: true,
      resolve: ({ reviewedBy }) => (reviewedBy === null ? null : toActorRecord(reviewedBy)),
    }),
    reviewedAt: t.expose("reviewedAt", { type: "DateTime", nullable: true }),
    traffic: t.field({
      type: Traffic,
      resolve: async ({ id }, _args, ctx) => (await loadTraffic(ctx, id)) ?? NO_TRAFFIC,
    }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

const McpToolFilter = builder.inputType("McpToolFilter", {
  fields: (t) => ({ serverId: t.id(), status: t.field({ type: McpToolStatusEnum }) }),
});

const McpToolVerdict = builder.enumType("McpToolVerdict", {
  description: "What a review says of tools.",
  values: {
    APPROVE: { value: "approve", description: "Agents may see and call them, as they are defined now." },
    BLOCK: { value: "block", description: "Nobody can call them, also if they change." },
  } as const,
});

const McpToolReview = builder.inputType("McpToolReview", {
  fields: (t) => ({
    id: t.id({ required: true }),
    hash: t.string({ required: true, description: "That of the definition that was read." }),
  }),
});

builder.queryFields((t) => ({
  mcpTools: t.connection({
    type: McpTool,
    description: "The tools of MCP servers, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: McpToolFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const { serverId, status } = filter ?? {};
      const id = typeof serverId === "string" ? fromGlobalId("filter.serverId", "McpServer", serverId) : null;
      return toConnection(await listMcpTools(ctx, page, { serverId: id, status }));
    },
  }),
}));

builder.relayMutationField(
  "reviewMcpTools",
  {
    inputFields: (t) => ({
      serverId: t.id({ required: true }),
      tools: t.field({ type: [McpToolReview], required: true, description: "1 to 500." }),
      verdict: t.field({ type: McpToolVerdict, required: true }),
    }),
  },
  {
    description:
      "Approves tools of an MCP server as they are defined, or blocks them. For admins who entered their password recently.",
    resolve: async (_root, { input: { serverId, tools, verdict } }, ctx) => ({
      tools: await reviewMcpTools(ctx, {
        serverId: fromGlobalId("serverId", "McpServer", serverId),
        tools: tools.map(({ id, hash }, index) => ({
          id: fromGlobalId(`tools.${index}.id`, "McpTool", id),
          hash,
        })),
        verdict,
      }),
    }),
  },
  {
    outputFields: (t) => ({
      tools: t.field({
        type: [McpTool],
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ tools }) => tools,
      }),
    }),
  },
);
