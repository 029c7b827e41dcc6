import type { McpServer } from "../../db/generated/client.ts";
import { isObject } from "../../domain/kernel/is-object.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { OutboundAnswer, OutboundLimits } from "../../http/outbound/exchange.ts";
import { OutboundError } from "../../http/outbound/outbound-error.ts";
import { type UpstreamMessage, readResponse } from "./read-messages.ts";
import { sendUpstream, toUpstreamErrors } from "./send-upstream.ts";
import { UpstreamError } from "./upstream-error.ts";
import type { UpstreamServices } from "./upstream-services.ts";

const MODERN_VERSION = "2026-07-28";
const LEGACY_VERSION = "2025-11-25";

/** What we say of ourselves. */
const CLIENT_INFO = { name: "agent-ops", version: "0.1.0" };

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
  "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
  "io.modelcontextprotocol/clientCapabilities": {},
};

const MOST_PAGES = 20;

const REQUEST_LIMITS: Partial<OutboundLimits> = {
  firstByteMs: 15_000,
  silenceMs: 15_000,
  answerBytes: LIMITS.mcpToolListBytes,
};
/** For all requests together: others wait for their turn. */
const WHOLE_MS = 30_000;

/** Posts a message and reads its answer: null if it has no fitting one. */
type Ask = (
  message: { id?: number; method: string; params: object },
  headers?: Record<string, string>,
) => Promise<{ answer: UpstreamMessage | null; sessionId: string | null }>;

/** Tools as a server lists them, not checked yet. */
export type ListedTools = { protocolVersion: string; tools: unknown[] };

/**
 * Asks a server for its tools, by the version of the protocol without a handshake if it speaks that.
 *
 * @throws {UpstreamError}
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export async function listUpstreamTools(
  services: UpstreamServices,
  server: McpServer,
  signal: AbortSignal | null = null,
): Promise<ListedTools> {
  const ask = createAsk(services, server, signal);
  const first = await ask({ id: 1, method: "tools/list", params: { _meta: MODERN_META } }, MODERN_HEADERS);
  if (first.answer !== null && isObject(first.answer["result"]))
    return listModern(ask, first.answer["result"]);
  return listLegacy(ask);
}

function createAsk(services: UpstreamServices, server: McpServer, signal: AbortSignal | null): Ask {
  const meter = createMeter();
  const endMs = performance.now() + WHOLE_MS;
  return async (message, headers = {}) =>
    toUpstreamErrors(async () => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      const sent = await sendUpstream(services, server, {
        body,
        headers,
        limits: { ...REQUEST_LIMITS, wholeMs: Math.max(0, endMs - performance.now()) },
        ...(signal && { signal }),
      });
      const session = sent.headers["mcp-session-id"];
      const answer = await readAnswer({ ...sent, body: meter(sent.body) }, message.id);
      return { answer, sessionId: typeof session === "string" ? session : null };
    });
}

/** Counts the bytes of all answers: a server may list its tools in pages, each as large as all of them may be. */
function createMeter(): (body: OutboundAnswer["body"]) => OutboundAnswer["body"] {
  let bytesLeft: number = LIMITS.mcpToolListBytes;
  return async function* count(body) {
    for await (const part of body) {
      bytesLeft -= part.length;
      if (bytesLeft < 0) {
        const problem = `The server's list has more than ${LIMITS.mcpToolListBytes} bytes.`;
        throw new OutboundError("too large", problem, true);
      }
      yield part;
    }
  };
}

async function readAnswer(sent: OutboundAnswer, id: number | undefined): Promise<UpstreamMessage | null> {
  if (id !== undefined && sent.status < 500) {
    try {
      return await readResponse(sent, id, LIMITS.mcpToolListBytes);
    } catch (error) {
      // Servers of the other version may answer with any text.
      if (sent.status === 200) throw error;
    }
  }
  sent.discard();
  return null;
}

const MODERN_HEADERS = { "mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/list" };

async function listModern(ask: Ask, first: Record<string, unknown>): Promise<ListedTools> {
  const tools = await readPages(first, async (cursor) => {
    const params = { cursor, _meta: MODERN_META };
    return (await ask({ id: 1, method: "tools/list", params }, MODERN_HEADERS)).answer;
  });
  return { protocolVersion: MODERN_VERSION, tools };
}

async function listLegacy(ask: Ask): Promise<ListedTools> {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
  const { answer, sessionId } = await ask({ id: 1, method: "initialize", params });
  const { protocolVersion: version } = requireResult(answer);
  if (typeof version !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(version)) throw createShapeError();
  const headers = {
    "mcp-protocol-version": version,
    ...(sessionId !== null && { "mcp-session-id": sessionId }),
  };
  await ask({ method: "notifications/initialized", params: {} }, headers);
  async function list(cursor?: string): Promise<UpstreamMessage | null> {
    const page = { id: 2, method: "tools/list", params: cursor === undefined ? {} : { cursor } };
    return (await ask(page, headers)).answer;
  }
  return { protocolVersion: version, tools: await readPages(requireResult(await list()), list) };
}

async function readPages(
  first: Record<string, unknown>,
  read: (cursor: string) => Promise<UpstreamMessage | null>,
): Promise<unknown[]> {
  let tools: unknown[] = [];
  let page = first;
  for (let pages = 1; ; pages++) {
    if (!Array.isArray(page["tools"])) throw createShapeError();
    tools = tools.concat(page["tools"]);
    const cursor = page["nextCursor"];
    const isLast = typeof cursor !== "string";
    if (tools.length > LIMITS.mcpTools || (!isLast && pages >= MOST_PAGES)) {
      throw new UpstreamError(
        "down",
        `The server lists more than ${LIMITS.mcpTools} tools, or too many pages.`,
        true,
      );
    }
    if (isLast) return tools;
    page = requireResult(await read(cursor));
  }
}

function requireResult(answer: UpstreamMessage | null): Record<string, unknown> {
  if (answer !== null && isObject(answer["result"])) return answer["result"];
  throw createShapeError();
}

function createShapeError(): UpstreamError {
  return new UpstreamError("down", "The server does not answer as an MCP server does.", true);
}
