import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

export const NEW_MCP_SERVER = { slug: "shop", name: "Shop", url: "https://mcp.example.com/mcp" };

/** Calls of all GraphQL fields of MCP servers with another workspace's ids. */
export function mcpServerCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("McpServer", ids.mcpServer);
  const tools = [{ id: toGlobalId("McpTool", ids.mcpTool), hash: "0".repeat(64) }];
  const notFound = (input: object): FieldCall[] => [
    { args: { input }, outcome: "NOT_FOUND", forPeople: true },
  ];
  return {
    mcpServer: [{ args: { id }, outcome: "NOT_FOUND" }],
    mcpServers: [
      { args: {}, outcome: "own" },
      { args: { first: 20, offset: 0 }, outcome: "own" },
    ],
    mcpTools: [
      { args: {}, outcome: "own" },
      { args: { first: 20, offset: 0, filter: { status: "PENDING", serverId: id } }, outcome: "own" },
    ],
    mcpCalls: [
      { args: {}, outcome: "own" },
      {
        args: { first: 20, filter: { serverId: id, agentId: toGlobalId("Agent", ids.agent), tool: word } },
        outcome: "own",
      },
    ],
    // Both workspaces' servers are named by their word.
    callableMcpServer: [{ args: { slug: word }, outcome: "NOT_FOUND" }],
    createMcpServer: [
      { args: { input: { ...NEW_MCP_SERVER, slug: word } }, outcome: "own", forPeople: true },
    ],
    updateMcpServer: notFound({ id, name: "x" }),
    deleteMcpServer: notFound({ id }),
    setMcpCredential: notFound({ serverId: id, secret: null }),
    refreshMcpTools: notFound({ id }),
    reviewMcpTools: notFound({ serverId: id, tools, verdict: "APPROVE" }),
  };
}

/** A selection of each field of MCP servers that agents may use, and the scope it requires. */
export function mcpServerUses({
  ids,
  word,
}: PopulatedWorkspace): Record<string, { scope: Scope | null; selection: string }[]> {
  const read = (selection: string) => [{ scope: "mcp:read" as const, selection }];
  return {
    mcpServer: read(`mcpServer(id: "${toGlobalId("McpServer", ids.mcpServer)}") { uuid }`),
    mcpServers: read("mcpServers { totalCount }"),
    mcpCalls: read("mcpCalls { totalCount }"),
    mcpTools: read("mcpTools { totalCount }"),
    callableMcpServer: [{ scope: "mcp:use", selection: `callableMcpServer(slug: "${word}") { name }` }],
  };
}
