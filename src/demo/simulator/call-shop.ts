import { type CallProgress, callMcpTool } from "../../auth/upstream/call-mcp-tool.ts";
import type { Ctx } from "../../domain/kernel/context.ts";

const SLUG = "shop";
const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** No client reads the answer. */
const SILENT: CallProgress = { onStream: () => {}, onWait: () => {}, pass: async () => {} };

/** The shop's name of a tool, or null if it is of another server. */
export function findShopTool(tool: string): string | null {
  return tool.startsWith(`${SLUG}.`) ? tool.slice(SLUG.length + 1) : null;
}

/**
 * Calls a tool of the demo's shop through the proxy, as any MCP client does. Waits while people are asked.
 *
 * @throws {DomainError} as `callMcpTool`.
 */
export async function callShop(agent: Ctx, name: string, args: unknown): Promise<void> {
  await callMcpTool(
    agent,
    {
      slug: SLUG,
      id: 1,
      name,
      arguments: args,
      meta: META,
      taskId: undefined,
      session: null,
      protocolVersion: VERSION,
      headers: { "mcp-protocol-version": VERSION },
    },
    SILENT,
  );
}
