import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMessage } from "./answer-message.ts";
import { type ShopTool, SHOP_TOOLS } from "./shop-tools.ts";

/** The MCP server of a shop, on a free port of this machine. */
export type Shop = {
  /** Such as `http://127.0.0.1:4711`. */
  origin: string;
  url: string;
  /** Lists and runs these tools from now on. */
  offer: (tools: readonly ShopTool[]) => void;
  close: () => Promise<void>;
};

const MOST_BYTES = 65_536;

/** Starts it. It speaks Streamable HTTP without sessions, and answers with JSON. */
export async function serveShop(): Promise<Shop> {
  let tools = SHOP_TOOLS;
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a TCP port has this kind of address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    offer: (offered) => {
      tools = offered;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url !== "/mcp") {
      response.writeHead(request.url === "/mcp" ? 405 : 404, { allow: "POST" }).end();
      return;
    }
    const text = await readText(request);
    const message = text === null ? null : answerMessage(text, tools);
    if (text === null) response.writeHead(413).end();
    else if (message === null) response.writeHead(202).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
  }
}

/** Null if it is too large. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= MOST_BYTES) parts.push(part);
  }
  return bytes > MOST_BYTES ? null : Buffer.concat(parts).toString("utf8");
}
