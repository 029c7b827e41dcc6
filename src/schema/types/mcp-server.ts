import { setMcpCredential } from "../../auth/upstream/set-mcp-credential.ts";
import { refreshMcpTools } from "../../auth/upstream/refresh-mcp-tools.ts";
import { McpCredentialKind, McpServerHealth } from "../../db/generated/enums.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { type McpToolCounts, countMcpTools } from "../../domain/mcp/count-mcp-tools.ts";
import { createMcpServer } from "../../domain/mcp/create-mcp-server.ts";
import { deleteMcpServer } from "../../domain/mcp/delete-mcp-server.ts";
import { listMcpServers } from "../../domain/mcp/list-mcp-servers.ts";
import { type McpTraffic, readMcpTraffic } from "../../domain/mcp/read-mcp-traffic.ts";
import { readMcpServer } from "../../domain/mcp/read-mcp-server.ts";
import { updateMcpServer } from "../../domain/mcp/update-mcp-server.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { addEnum } from "../enum.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";

const McpServerHealthEnum = addEnum(
  "McpServerHealth",
  McpServerHealth,
  "What the last request to an MCP server has shown.",
);

const McpCredentialKindEnum = addEnum(
  "McpCredentialKind",
  McpCredentialKind,
  "How requests to an MCP server are authenticated.",
);

const NO_TOOLS: McpToolCounts = { pending: 0, approved: 0, changed: 0, blocked: 0, gone: 0 };

const loadToolCounts = createBatchLoader<McpToolCounts>(countMcpTools);

const ToolCounts = builder.objectRef<McpToolCounts>("McpToolCounts").implement({
  description: "How many tools of an MCP server have each status.",
  fields: (t) => ({
    pending: t.exposeInt("pending"),
    approved: t.exposeInt("approved"),
    changed: t.exposeInt("changed"),
    blocked: t.exposeInt("blocked"),
    gone: t.exposeInt("gone"),
  }),
});

const NO_TRAFFIC: McpTraffic = { calls: 0, denials: 0, held: 0, p95Ms: null };

const loadTraffic = createBatchLoader<McpTraffic>(readMcpTraffic);

const Traffic = builder.objectRef<McpTraffic>("McpTraffic").implement({
  description: "What agents did with an MCP server in the last 24 hours.",
  fields: (t) => ({
    calls: t.exposeInt("calls", {
      description: `Calls that were passed on, counted up to ${LIMITS.mcpCountedCalls}.`,
    }),
    denials: t.exposeInt("denials", {
      description: `Calls that policies denied, among the newest ${LIMITS.mcpCountedDenials} denials of the workspace.`,
    }),
    held: t.exposeInt("held", { description: "Calls that wait for people now." }),
    p95Ms: t.exposeInt("p95Ms", {
      nullable: true,
      description: "How long all but a twentieth of the counted calls took at most.",
    }),
  }),
});

const McpServer = builder.prismaNode("McpServer", {
  ...workspaceNode,
  description: "An MCP server of somebody else, whose tools agents call at `/mcp/proxy/<slug>`.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    slug: t.exposeString("slug", { description: "Its name in URLs and policies. Unique in the workspace." }),
    name: t.exposeString("name"),
    url: t.exposeString("url"),
    enabled: t.exposeBoolean("enabled"),
    holdSeconds: t.exposeInt("holdSeconds", { description: "How long a call waits for people." }),
    credentialKind: t.expose("credentialKind", { type: McpCredentialKindEnum }),
    credentialHeader: t.exposeString("credentialHeader", {
      nullable: true,
      description: "The header that carries the credential, if it is no bearer.",
    }),
    credentialSetBy: t.field({
      type: "Actor",
      nullable: true,
      resolve: ({ credentialSetBy: by }) => (by === null ? null : toActorRecord(by)),
    }),
    credentialSetAt: t.expose("credentialSetAt", { type: "DateTime", nullable: true }),
    protocolVersion: t.exposeString("protocolVersion", {
      nullable: true,
      description: "The version of the protocol that it spoke last.",
    }),
    health: t.expose("health", { type: McpServerHealthEnum }),
    healthAt: t.expose("healthAt", { type: "DateTime", nullable: true }),
    lastError: t.exposeString("lastError", { nullable: true }),
    toolsReadAt: t.expose("toolsReadAt", { type: "DateTime", nullable: true }),
    toolCounts: t.field({
      type: ToolCounts,
      resolve: async ({ id }, _args, ctx) => (await loadToolCounts(ctx, id)) ?? NO_TOOLS,
    }),
    traffic: t.field({
      type: Traffic,
      resolve: async ({ id }, _args, ctx) => (await loadTraffic(ctx, id)) ?? NO_TRAFFIC,
    }),
    createdBy: t.field({ type: "Actor", resolve: (server) => toActorRecord(server.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (server) => toActorRecord(server.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const HOLD = `${LIMITS.mcpHoldSeconds.min} to ${LIMITS.mcpHoldSeconds.max}. Default ${LIMITS.mcpHoldSeconds.default}.`;
const SUDO = "For admins who entered their password recently.";

builder.queryFields((t) => ({
  mcpServer: t.prismaField({
    type: McpServer,
    description: "One MCP server.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) =>
      readMcpServer(ctx, { id: fromGlobalId("id", "McpServer", id) }, query),
  }),
  mcpServers: t.connection({
    type: McpServer,
    description: "The workspace's MCP servers, newest first.",
    args: { offset: t.arg.int() },
    complexity: pageComplexity,
    resolve: async (_root, page, ctx) => toConnection(await listMcpServers(ctx, page)),
  }),
}));

builder.relayMutationField(
  "createMcpServer",
  {
    inputFields: (t) => ({
      slug: t.string({ required: true, description: "1 to 40 lower-case letters, digits and hyphens." }),
      name: t.string({ required: true }),
      url: t.string({ required: true, description: "Of its Streamable HTTP transport." }),
      enabled: t.boolean({ description: "Default true." }),
      holdSeconds: t.int({ description: HOLD }),
    }),
  },
  {
    description: `Registers an MCP server. ${SUDO}`,
    resolve: async (_root, { input: { slug, name, url, ...rest } }, ctx) => ({
      server: await createMcpServer(ctx, { slug, name, url, ...omitNulls(rest) }),
    }),
  },
  { outputFields: (t) => ({ server: t.field({ type: McpServer, resolve: ({ server }) => server }) }) },
);

builder.relayMutationField(
  "updateMcpServer",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      url: t.string({ description: "With another origin, the credential is gone." }),
      enabled: t.boolean(),
      holdSeconds: t.int({ description: HOLD }),
      ifGeneration: t.int({ description: "The generation that the caller read." }),
    }),
  },
  {
    description: `Changes an MCP server. ${SUDO}`,
    resolve: async (_root, { input: { id, ifGeneration, ...changes } }, ctx) => ({
      server: await updateMcpServer(ctx, {
        id: fromGlobalId("id", "McpServer", id),
        ifGeneration,
        ...omitNulls(changes),
      }),
    }),
  },
  { outputFields: (t) => ({ server: t.field({ type: McpServer, resolve: ({ server }) => server }) }) },
);

builder.relayMutationField(
  "deleteMcpServer",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Deletes an MCP server with its tools, their reviews and its credential. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => ({
      server: await deleteMcpServer(ctx, { id: fromGlobalId("id", "McpServer", id) }),
    }),
  },
  { outputFields: (t) => ({ server: t.field({ type: McpServer, resolve: ({ server }) => server }) }) },
);

builder.relayMutationField(
  "setMcpCredential",
  {
    inputFields: (t) => ({
      serverId: t.id({ required: true }),
      secret: t.string({ description: "Null or absent: requests carry none." }),
      header: t.string({ description: "The header that carries it. Default: Authorization, as a bearer." }),
    }),
  },
  {
    description: `Sets the secret that requests to an MCP server carry. Nobody can read it again. ${SUDO}`,
    resolve: async (_root, { input: { serverId, secret, header } }, ctx) => ({
      server: await setMcpCredential(ctx, {
        serverId: fromGlobalId("serverId", "McpServer", serverId),
        secret: secret ?? null,
        header: header ?? null,
      }),
    }),
  },
  { outputFields: (t) => ({ server: t.field({ type: McpServer, resolve: ({ server }) => server }) }) },
);

builder.relayMutationField(
  "refreshMcpTools",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Asks an MCP server for its tools. If it does not answer, `health` and `lastError` say why. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      server: await refreshMcpTools(ctx, { id: fromGlobalId("id", "McpServer", id) }),
    }),
  },
  { outputFields: (t) => ({ server: t.field({ type: McpServer, resolve: ({ server }) => server }) }) },
);
