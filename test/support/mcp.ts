import { expect } from "vitest";
import { type TestAnswer, type TestClient, createTestClient } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

/** How a client of 2026-07-28 says what it is. */
export function modernMeta(capabilities: object = {}) {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

/** Sends requests to /mcp as clients of one era do. */
export type McpClient = {
  /** Whatever the answer is. */
  trySend: (method: string, params?: object) => Promise<TestAnswer>;
  send: (method: string, params?: object) => Promise<TestAnswer>;
  /** The result of a request that succeeds. */
  request: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** What a tool answers; fails if it answers an error. */
  call: (tool: string, given?: object) => Promise<Answered>;
  /** The problem that a tool answers. */
  fail: (tool: string, given?: object) => Promise<Answered>;
};

/** Each test knows its content. */
export type Answered = TestAnswer["body"];

export type Era = "legacy" | "modern";

export const ERAS: Era[] = ["legacy", "modern"];

/** Creates a client of an era. `capabilities` is what a modern one says of itself. */
export function createMcpClient(client: TestClient, era: Era, capabilities: object = {}): McpClient {
  let id = 0;
  async function trySend(method: string, params: object = {}, own = ++id): Promise<TestAnswer> {
    const body = { jsonrpc: "2.0", id: own, method, params: asEra(params) };
    const answer = await client.post("/mcp", body, headersOf(method, params));
    return { ...answer, body: answer.body ?? lastEvent(answer.text) };
  }
  async function send(method: string, params?: object): Promise<TestAnswer> {
    const own = ++id;
    const answer = await trySend(method, params, own);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: own });
    return answer;
  }
  function asEra(params: object): object {
    return era === "legacy"
      ? params
      : { ...params, _meta: { ...modernMeta(capabilities), ...metaOf(params) } };
  }
  function headersOf(method: string, params: object): Record<string, string> {
    const accept = { accept: "application/json, text/event-stream" };
    return era === "legacy"
      ? { ...accept, "mcp-protocol-version": "2025-11-25" }
      : { ...accept, ...modernHeaders(method, params) };
  }
  async function request(method: string, params?: object) {
    const { status, body } = await send(method, params);
    expect({ status, error: body?.error }).toEqual({ status: 200, error: undefined });
    return body.result;
  }
  return {
    trySend,
    send,
    request,
    call: async (tool, given = {}) => {
      const result = await request("tools/call", { name: tool, arguments: given });
      expect(result["isError"], JSON.stringify(result)).toBeUndefined();
      const { content, structuredContent } = result as {
        content: { text: string }[];
        structuredContent: object;
      };
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
      return structuredContent;
    },
    fail: async (tool, given = {}) => {
      const result = await request("tools/call", { name: tool, arguments: given });
      expect(result, JSON.stringify(result)).toMatchObject({ isError: true });
      return (result["_meta"] as Record<string, unknown>)["agent-ops/problem"];
    },
  };
}

/** The headers of a request of 2026-07-28. */
export function modernHeaders(method: string, params: object = {}): Record<string, string> {
  const { name, uri, taskId } = params as { name?: string; uri?: string; taskId?: string };
  const repeated = name ?? uri ?? taskId;
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof repeated === "string" && { "mcp-name": repeated }),
  };
}

function metaOf(params: object): object {
  return (params as { _meta?: object })._meta ?? {};
}

/** The messages of an event stream. */
export function eventsOf(text: string): Answered[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

function lastEvent(text: string): unknown {
  return eventsOf(text).at(-1) ?? null;
}

/** Mints a token for an agent of its own. */
export async function mintAgent(
  { server, agent }: TestWorld,
  scopes?: string[],
): Promise<{ id: string; tokenId: string; bearer: string; client: TestClient }> {
  const handle = `agent-${crypto.randomUUID()}`;
  const { status, body } = await agent.post("/api/v1/agent_tokens", { agent: { handle }, scopes });
  expect(status).toBe(201);
  const bearer = `Bearer ${body.token}`;
  return { id: body.agent_id, tokenId: body.id, bearer, client: createTestClient(server.url, body.token) };
}
