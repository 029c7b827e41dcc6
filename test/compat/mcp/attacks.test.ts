import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { type Era, ERAS, createMcpClient, mintAgent } from "../../support/mcp.ts";
import type { TestAnswer, TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const LARGE = 250_000;
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

let world: TestWorld;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: "0" });
  ({ client: agent } = await mintAgent(world));
});

afterAll(() => world.server.close());

/** The arguments of tools, as large as a body may be. */
const ARGUMENTS: [string, string, object][] = [
  ["many unknown names", "task_create", { title: "x", ...name(12_000, (at) => `title${at}`) }],
  ["one long unknown name", "task_create", { title: "x", ["titl".repeat(LARGE / 5)]: 1 }],
  ["a long text", "ask_human", { question: "\u0301".repeat(LARGE / 3), wait_s: 0 }],
  ["half characters", "ask_human", { question: "\ud800".repeat(1000), wait_s: 0 }],
  ["a text with NUL", "message_send", { text: "a\u0000b" }],
  ["a long queue", "task_claim", { queues: ["a.".repeat(LARGE / 2)] }],
  ["many queues", "task_claim", { queues: list(40_000, () => "a") }],
  ["many parts", "task_create", { title: "x", input: list(20_000, () => ({})) }],
  ["a wide part", "task_create", { title: "x", input: [{ data: name(15_000, (at) => `n${at}`) }] }],
  ["a deep part", "message_send", { parts: [{ data: nest(50) }] }],
  ["many results", "eval_report", { suite: "s", name: "n", results: list(5000, () => ({})) }],
  [
    "many wrong scores",
    "eval_report",
    { suite: "s", name: "n", results: [{ item_key: "a", status: "passed", scores: list(20_000, () => 1) }] },
  ],
  ["many values to check", "permission_check", check(name(12_000, (at) => `n${at}`))],
  ["a long resource", "permission_check", { resource: { type: "tool", id: "x.".repeat(LARGE / 2) } }],
  ["long ids", "task_heartbeat", { task_id: "0-".repeat(LARGE / 4), lease_token: "x".repeat(LARGE / 4) }],
  ["a time without end", "task_claim", { queues: ["a"], wait_s: 9e15 }],
  ["a time before now", "task_claim", { queues: ["a"], wait_s: -9e15 }],
  ["a time in words", "ask_human", { question: "?", wait_s: "soon" }],
  ["names of objects' own", "task_list", JSON.parse('{"__proto__":{"status":"x"},"constructor":1}')],
  ["a long key", "task_create", { title: "x", idempotency_key: "k".repeat(LARGE) }],
];

const METHODS: [string, string, object][] = [
  ["a long URI", "resources/read", { uri: `agent-ops://tasks/${"0-".repeat(LARGE / 2)}` }],
  ["a long prompt", "prompts/get", { name: "work_a_queue", arguments: { queue: "q".repeat(LARGE) } }],
  ["a prompt that is none", "prompts/get", { name: { toString: 1, valueOf: 1 } }],
  ["a tool that is none", "tools/call", { name: [[]], arguments: {} }],
  ["a tool of objects' own", "tools/call", { name: "constructor", arguments: {} }],
  ["a long tool", "tools/call", { name: "x".repeat(LARGE) }],
  ["a long call", "tasks/get", { taskId: `q_${"0-".repeat(LARGE / 2)}` }],
  ["a call of objects' own", "tasks/cancel", { taskId: "__proto__" }],
  ["many calls", "subscriptions/listen", { notifications: { taskIds: list(20_000, (at) => `q_${at}`) } }],
  ["long calls", "subscriptions/listen", { notifications: { taskIds: list(20, () => "0-".repeat(5000)) } }],
  ["a long method", "m".repeat(LARGE), {}],
  ["a method of objects' own", "constructor", {}],
  ["much about itself", "tools/list", { _meta: name(12_000, (at) => `n${at}`), cursor: "x".repeat(1000) }],
];

describe.each(ERAS)("POST /mcp in the %s era", (era) => {
  it.each(ARGUMENTS)(
    "answers tools with %s at once, and as the caller's fault",
    async (_name, tool, given) => {
      const answer = await sendWithin(era, "tools/call", { name: tool, arguments: given });
      expect(codeOf(answer)).toMatch(/^(?:none|[a-z_]+)$/);
    },
  );

  it.each(METHODS)("answers %s at once, and as the caller's fault", async (_name, method, params) => {
    const answer = await sendWithin(era, method, params);
    // Header fields have at most 16 KiB.
    expect([200, 400, 404, 431]).toContain(answer.status);
    expect(answer.body?.error?.code).not.toBe(-32603);
  });
});

describe("a request", () => {
  it("has an id of at most 256 characters, which answers repeat", async () => {
    const ping = { jsonrpc: "2.0", method: "ping" };
    const long = await agent.post("/mcp", { ...ping, id: "i".repeat(257) });
    expect([long.status, long.body.id, long.body.error.code]).toEqual([400, null, -32600]);
    const id = "i".repeat(256);
    expect((await agent.post("/mcp", { ...ping, id })).body.id).toBe(id);
  });
});

describe("a batch", () => {
  function claim(id: number, seconds: number) {
    const params = { name: "task_claim", arguments: { queues: ["nothing"], wait_s: seconds } };
    return { jsonrpc: "2.0", id, method: "tools/call", params };
  }

  it("waits for at most 50 seconds in all", async () => {
    const few = await agent.post("/mcp", [claim(1, 25), claim(2, 26)]);
    expect([few.status, few.body.error.message]).toEqual([
      400,
      "The requests of a batch may wait for 50 seconds together.",
    ]);
    const none = await agent.post(
      "/mcp",
      list(20, (at) => claim(at, 0)),
    );
    expect(none.body).toHaveLength(20);
  });

  it("ends when its answers are large", async () => {
    const contextId = crypto.randomUUID();
    const text = "x".repeat(LARGE);
    for (let sent = 0; sent < 10; sent++) await sendMessage(world.ctx, { contextId, parts: [{ text }] });
    const params = { uri: `agent-ops://conversations/${contextId}` };
    const answer = await agent.post(
      "/mcp",
      list(5, (id) => ({ jsonrpc: "2.0", id, method: "resources/read", params })),
    );
    expect(answer.text.length).toBeLessThan(6_000_000);
    const codes = answer.body.map((one: { error?: { code: number } }) => one.error?.code ?? null);
    expect(codes).toEqual([null, null, -32600, -32600, -32600]);
  });
});

/** Sends a request, and fails if it takes more than a second of CPU: far more than what is linear in a body takes. */
async function sendWithin(era: Era, method: string, params: object): Promise<TestAnswer> {
  const before = process.cpuUsage();
  const answer = await createMcpClient(agent, era, TASKS).trySend(method, params);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
  return answer;
}

/** The code of a tool's problem; `none` if it had none. */
function codeOf({ status, body }: TestAnswer): unknown {
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.result._meta?.["agent-ops/problem"]?.code ?? "none";
}

function list<Item>(length: number, item: (at: number) => Item): Item[] {
  return Array.from({ length }, (_, at) => item(at));
}

function name(count: number, nameOf: (at: number) => string): object {
  return Object.fromEntries(list(count, (at) => [nameOf(at), at]));
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : [nest(depth - 1)];
}

function check(given: object) {
  return { resource: { type: "tool", id: "x" }, arguments: given };
}
