import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import type { HeldBody } from "../../../src/http/held-bodies.ts";
import { type Peer, type Wire, createPeer, createWire, newQueue } from "../../support/a2a.ts";
import { eventsOf } from "../../support/mcp.ts";
import { PATIENCE } from "../../support/patience.ts";
import type { TestAnswer } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const LARGE = 250_000;

let world: TestWorld;
let peer: Peer;
let wire: Wire;

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: "0" });
  peer = await createPeer(world, "JSONRPC");
  wire = createWire(peer.plain);
});

afterAll(() => world.server.close());

function list<Item>(length: number, item: (at: number) => Item): Item[] {
  return Array.from({ length }, (_, at) => item(at));
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}

function name(length: number): object {
  return Object.fromEntries(list(length, (at) => [`name${at}`, at]));
}

function send(fields: object, rest: object = {}): object {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "x" }], ...fields };
  return { message, configuration: { returnImmediately: true }, ...rest };
}

/** Requests as large as a body may be. */
const REQUESTS: [string, string, () => object][] = [
  ["a long text", "SendMessage", () => send({ parts: [{ text: "\u0301".repeat(LARGE / 3) }] })],
  ["a text of lines", "SendMessage", () => send({ parts: [{ text: "\n \r".repeat(LARGE / 6) }] })],
  ["half characters", "SendMessage", () => send({ parts: [{ text: "\ud800".repeat(1000) }] })],
  ["a text with NUL", "SendMessage", () => send({ parts: [{ text: "a\u0000b" }] })],
  ["many parts", "SendMessage", () => send({ parts: list(40_000, () => ({})) })],
  ["parts that are none", "SendMessage", () => send({ parts: list(32, () => list(1000, () => 1)) })],
  ["a wide part", "SendMessage", () => send({ parts: [{ data: name(12_000) }] })],
  ["a deep part", "SendMessage", () => send({ parts: [{ data: nest(100) }] })],
  ["a deeper part", "SendMessage", () => send({ parts: [{ data: nest(120) }] })],
  ["a part too deep to read", "SendMessage", () => send({ parts: [{ data: nest(1000) }] })],
  ["lists", "SendMessage", () => send({ parts: [{ data: list(60_000, () => []) }] })],
  ["wide metadata", "SendMessage", () => send({ metadata: name(12_000) }, { metadata: name(2000) })],
  [
    "names of objects' own",
    "SendMessage",
    () => JSON.parse('{"message":{"__proto__":{"taskId":"x"},"constructor":1}}'),
  ],
  [
    "data with names of objects' own",
    "SendMessage",
    () => send({ parts: [{ data: JSON.parse('{"__proto__":1}') }] }),
  ],
  ["a long message id", "SendMessage", () => send({ messageId: "m".repeat(LARGE) })],
  ["a long task id", "SendMessage", () => send({ taskId: "0-".repeat(LARGE / 2) })],
  ["a long context id", "SendMessage", () => send({ contextId: "0-".repeat(LARGE / 2) })],
  [
    "a long queue",
    "SendMessage",
    () => send({}, { metadata: { "agent-ops/queue": "a.".repeat(LARGE / 2) } }),
  ],
  ["many references", "SendMessage", () => send({ referenceTaskIds: list(6000, () => crypto.randomUUID()) })],
  ["wide parameters", "ListTasks", () => name(12_000)],
  ["a long page token", "ListTasks", () => ({ pageToken: `v1.${"A".repeat(LARGE)}` })],
  ["a long time", "ListTasks", () => ({ statusTimestampAfter: `2026-01-01T00:00:00.${"0".repeat(LARGE)}Z` })],
  ["a long state", "ListTasks", () => ({ status: "TASK_STATE_".repeat(LARGE / 11) })],
  ["a long id", "GetTask", () => ({ id: "0-".repeat(LARGE / 2) })],
  ["a long number", "GetTask", () => ({ id: "x", historyLength: "1".repeat(LARGE) })],
  ["a long method", "m".repeat(LARGE), () => ({})],
  ["a method of objects' own", "constructor", () => ({})],
];

/** Sends a request, and fails if it takes more than a second of CPU: far more than what is linear in a body takes. */
async function within(sending: () => Promise<TestAnswer>): Promise<TestAnswer> {
  const before = process.cpuUsage();
  const answer = await sending();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
  return answer;
}

describe("POST /a2a", () => {
  it.each(REQUESTS)("answers %s at once, and as the caller's fault", async (_name, method, params) => {
    const { status, body } = await within(() => wire.rpc(method, params()));
    expect(status).toBe(200);
    expect(body.error?.code).not.toBe(-32603);
  });

  it("reads infinity as the caller's fault", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: send({ parts: [{ data: 0.5 }] }),
    });
    const { body: answer } = await peer.plain.post("/a2a?A2A-Version=1.0", body.replace("0.5", "1e999"));
    expect(answer.error.data[0].fieldViolations).toMatchObject([{ field: "message.parts" }]);
  });

  it("takes no body of more than 256 KiB", async () => {
    const { status, body } = await wire.rpc("SendMessage", send({ parts: [{ text: "x".repeat(270_000) }] }));
    expect([status, body.error.code]).toEqual([413, -31413]);
  });

  it("has an answer of limited size for a task of large messages", async () => {
    const { id } = await createTask(world.ctx, { title: "x", input: [{ text: "x".repeat(LARGE) }] });
    for (let sent = 0; sent < 10; sent++) {
      await sendMessage(world.ctx, { taskId: id, parts: [{ text: "x".repeat(LARGE) }] });
    }
    const { text } = await within(() => wire.rpc("GetTask", { id, historyLength: 100 }));
    expect(text.length).toBeLessThan(300_000);
  });
});

describe("a path of /a2a/v1", () => {
  it.each([
    ["slashes", "/".repeat(7000)],
    ["tenants", "/tasks".repeat(1100)],
    ["colons", `/tasks/${":cancel".repeat(1000)}`],
    ["percent signs", `/tasks/${"%25".repeat(2000)}`],
    ["a bad percent sign", "/tasks/%"],
    ["a long id", `/tasks/${"a-".repeat(3500)}:cancel`],
  ])("of %s is not found at once", async (_name, path) => {
    const { status, body } = await within(() => wire.http.post(path, {}));
    expect([404, 405]).toContain(status);
    expect(body.error.code).toBe(status);
  });
});

describe("many streams", () => {
  it("wait together, are told together, and leave nothing", async () => {
    const queue = newQueue();
    const { id } = await createTask(world.ctx, { title: "x", queue });
    const streams = await Promise.all(
      list(100, () =>
        fetch(`${world.server.url}/a2a/v1/tasks/${id}:subscribe`, {
          method: "POST",
          headers: { authorization: peer.bearer, "a2a-version": "1.0" },
        }),
      ),
    );
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    await wire.http.post(`/tasks/${id}:cancel`);
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    for (const text of texts) {
      expect(eventsOf(text)).toMatchObject([
        { task: { id, status: { state: "TASK_STATE_SUBMITTED" } } },
        { statusUpdate: { taskId: id, status: { state: "TASK_STATE_CANCELED" } } },
      ]);
    }
    await vi.waitFor(() => {
      const { connections } = world.server.services.live;
      expect([...connections.all()].filter((one) => one.id.startsWith("waits of"))).toEqual([]);
    }, PATIENCE);
  });

  it("end if there is no memory for what their clients have not read", async () => {
    const { id } = await createTask(world.ctx, { title: "x", queue: newQueue() });
    const { holdBody } = world.server.services;
    const held: HeldBody[] = [];
    for (let bytes = 1_048_576; bytes > 0; bytes = Math.floor(bytes / 2)) {
      for (let one = hold(bytes); one !== null; one = hold(bytes)) held.push(one);
    }
    function hold(bytes: number): HeldBody | null {
      return holdBody(`agent ${world.workspaceId}`, bytes);
    }
    const full = await wire.http.get(`/tasks/${id}:subscribe`);
    for (const one of held) one.keep(0);
    expect(full.text).toContain("event: error\n");
    expect(eventsOf(full.text)).toMatchObject([{ error: { code: 503, status: "UNAVAILABLE" } }]);
  });
});
