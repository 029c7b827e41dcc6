import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { listenAndPrint } from "./listen-and-print.ts";

/** An MCP server of the official SDK, without sessions, that counts its calls. `GET /` answers how many. */
let calls = 0;

function createMcp(): McpServer {
  const server = new McpServer({ name: "stripe", version: "1" });
  const inputSchema = { amount: z.number(), currency: z.string().optional(), order: z.string().optional() };
  server.registerTool("refund", { description: "Pays back.", inputSchema }, ({ amount }) => {
    calls++;
    return { content: [{ type: "text", text: `paid ${amount}` }] };
  });
  return server;
}

listenAndPrint(
  createServer((incoming, answer) => {
    if (incoming.method === "GET") return void answer.end(String(calls));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = createMcp();
    answer.once("close", () => void server.close());
    server
      .connect(transport)
      .then(() => transport.handleRequest(incoming, answer))
      .catch(() => answer.destroy());
  }),
);
