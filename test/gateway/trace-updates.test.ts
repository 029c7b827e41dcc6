import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MOST_SPANS } from "../../src/domain/traces/stream-trace-spans.ts";
import { toTraceUuid } from "../../src/domain/traces/trace-ids.ts";
import { createKeyWith } from "../support/callers.ts";
import { createRequest, createSpan, newTraceId } from "../support/otlp.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { type TestSocket, agentSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const UPDATES = `subscription ($traceId: String!) {
  traceUpdates(traceId: $traceId) { traceId status generation spanCount openCount errorCount }
}`;
const SPANS = `subscription ($traceId: String!, $after: Int) {
  traceSpans(traceId: $traceId, after: $after) { traceId status generation spanCount spans }
}`;
const EVENTS = `subscription { events(types: ["trace.*"]) { __typename ... on Event { type subjectUuid data } } }`;

let world: TestWorld;
let second: TestServer;
let sockets: TestSocket[] = [];

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

afterEach(() => {
  for (const { socket } of sockets) socket.terminate();
  sockets = [];
});

async function open(query: string, variables = {}, apiKey = world.apiKey): Promise<TestSocket> {
  const socket = await agentSocket(world.server.url, apiKey);
  sockets.push(socket);
  socket.send({ type: "subscribe", id: "one", payload: { query, variables } });
  return socket;
}

async function next(socket: TestSocket): Promise<Record<string, unknown>> {
  const { type, payload } = await socket.next();
  if (type !== "next") throw new Error(`${type} came: ${JSON.stringify(payload)}`);
  return payload.data.traceUpdates ?? payload.data.traceSpans ?? payload.data.events;
}

async function send(spans: readonly object[], { url } = world.server, apiKey = world.apiKey): Promise<void> {
  const response = await fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(createRequest(spans)),
  });
  expect(response.status).toBe(200);
}

const OPEN = { endTimeUnixNano: undefined };

describe("subscription traceUpdates", () => {
  it.each(["the same node", "another node"])("tells of spans that came to %s", async (where) => {
    const node = where === "another node" ? second : world.server;
    const traceId = newTraceId();
    const root = { traceId, spanId: "00000000000000a1" };
    await send([createSpan({ ...root, ...OPEN })]);
    const socket = await open(UPDATES, { traceId });
    const standing = { traceId, status: "UNSET", generation: 1, spanCount: 1, openCount: 1, errorCount: 0 };
    expect(await next(socket)).toEqual(standing);
    const child = { traceId, spanId: "00000000000000a2", parentSpanId: root.spanId };
    await send([createSpan({ ...child, status: { code: 2 } })], node);
    const failed = { ...standing, status: "ERROR", generation: 2, spanCount: 2, errorCount: 1 };
    expect(await next(socket)).toEqual(failed);
    await send([createSpan(root)], node);
    expect(await next(socket)).toEqual({ ...failed, generation: 3, openCount: 0 });
  });

  it("tells the latest state only, at most twice a second", async () => {
    const traceId = newTraceId();
    await send([createSpan({ traceId })]);
    const socket = await open(UPDATES, { traceId });
    await next(socket);
    const startedMs = performance.now();
    for (let count = 2; count <= 60; count++) await send([createSpan({ traceId })], second);
    const seen: unknown[] = [];
    while (seen.at(-1) !== 60) seen.push((await next(socket))["generation"]);
    expect(seen.length).toBeLessThanOrEqual((performance.now() - startedMs) / 500 + 1);
  });

  it("needs traces:read and a trace of the workspace", async () => {
    const traceId = newTraceId();
    await send([createSpan({ traceId })]);
    const refusal = async (variables: object, apiKey: string) => {
      const { payload } = await (await open(UPDATES, variables, apiKey)).next();
      return payload.errors[0].extensions.code;
    };
    const { apiKey: foreign } = await world.another();
    expect(await refusal({ traceId }, foreign)).toBe("NOT_FOUND");
    expect(await refusal({ traceId: newTraceId() }, world.apiKey)).toBe("NOT_FOUND");
    expect(await refusal({ traceId: "x" }, world.apiKey)).toBe("VALIDATION_FAILED");
    const other = await createKeyWith(world.server, world.workspaceId, ["traces:write"]);
    expect(await refusal({ traceId }, other)).toBe("INSUFFICIENT_SCOPE");
  });

  it("ends when it is completed", async () => {
    const traceId = newTraceId();
    await send([createSpan({ traceId })]);
    const socket = await open(UPDATES, { traceId });
    await next(socket);
    socket.send({ type: "complete", id: "one" });
    await send([createSpan({ traceId })]);
    socket.send({ type: "subscribe", id: "again", payload: { query: UPDATES, variables: { traceId } } });
    const { id, payload } = await socket.next();
    expect([id, payload.data.traceUpdates.generation]).toEqual(["again", 2]);
  });
});

/** The frames up to a generation: later requests may be in one with earlier ones. */
async function framesUntil(socket: TestSocket, generation: number) {
  const frames: Record<string, unknown>[] = [];
  do frames.push(await next(socket));
  while (frames.at(-1)?.["generation"] !== generation);
  return frames;
}

/** The spans of a frame by their ids, with their durations. */
function readSpans({ spans }: Record<string, unknown>) {
  const { id, duration_us } = spans as { id: string[]; duration_us: (number | null)[] };
  return Object.fromEntries(id.map((one, at) => [one, duration_us[at]]));
}

describe("subscription traceSpans", () => {
  const [root, child] = ["00000000000000a1", "00000000000000a2"];

  it.each(["the same node", "another node"])(
    "has the spans that come to %s, and come again",
    async (where) => {
      const node = where === "another node" ? second : world.server;
      const traceId = newTraceId();
      await send([createSpan({ traceId, spanId: root, ...OPEN })]);
      const socket = await open(SPANS, { traceId, after: 1 });
      const first = await next(socket);
      expect(first).toMatchObject({ traceId, status: "UNSET", generation: 1, spanCount: 1 });
      expect(readSpans(first)).toEqual({});
      await send([createSpan({ traceId, spanId: child, parentSpanId: root, ...OPEN })], node);
      expect(readSpans(await next(socket))).toEqual({ [child]: null });
      await send([createSpan({ traceId, spanId: root })], node);
      const last = await next(socket);
      expect(last).toMatchObject({ generation: 3, spanCount: 2 });
      expect(readSpans(last)).toEqual({ [root]: 1_000_000 });
    },
  );

  it("has what came after a generation as it is now", async () => {
    const traceId = newTraceId();
    for (const spanId of [root, child, child]) await send([createSpan({ traceId, spanId })]);
    await send([createSpan({ traceId, spanId: "00000000000000a3", ...OPEN })]);
    const frame = await next(await open(SPANS, { traceId, after: 2 }));
    expect(frame["generation"]).toBe(4);
    expect(readSpans(frame)).toEqual({ [child]: 1_000_000, "00000000000000a3": null });
  });

  it("says that all are to be read where that is not known, or they are too many", async () => {
    const traceId = newTraceId();
    await send([createSpan({ traceId })]);
    const unknown = { generation: 1, spans: null };
    expect(await next(await open(SPANS, { traceId }))).toMatchObject(unknown);
    expect(await next(await open(SPANS, { traceId, after: 7 }))).toMatchObject(unknown);
    const socket = await open(SPANS, { traceId, after: 1 });
    await next(socket);
    await send(Array.from({ length: MOST_SPANS + 1 }, () => createSpan({ traceId })));
    const frames = await framesUntil(socket, 3);
    expect(frames.at(-1)).toMatchObject({ spanCount: MOST_SPANS + 2 });
    await send([createSpan({ traceId, spanId: root })]);
    expect(readSpans(await next(socket))).toEqual({ [root]: 1_000_000 });
  });

  it("has the spans of its own workspace alone, also if another one has the same trace", async () => {
    const traceId = newTraceId();
    const { apiKey: foreign } = await world.another();
    await send([createSpan({ traceId, spanId: root })]);
    await send([createSpan({ traceId, spanId: root })], world.server, foreign);
    const socket = await open(SPANS, { traceId, after: 1 }, foreign);
    await next(socket);
    await send([createSpan({ traceId, spanId: child })]);
    await send([createSpan({ traceId, spanId: "00000000000000a3" })], world.server, foreign);
    const frame = await next(socket);
    expect(frame).toMatchObject({ generation: 2, spanCount: 2 });
    expect(readSpans(frame)).toEqual({ "00000000000000a3": 1_000_000 });
  });

  it("needs traces:read, a trace of the workspace and a generation", async () => {
    const traceId = newTraceId();
    await send([createSpan({ traceId })]);
    const refusal = async (variables: object, apiKey: string) => {
      const { payload } = await (await open(SPANS, variables, apiKey)).next();
      return payload.errors[0].extensions.code;
    };
    const { apiKey: foreign } = await world.another();
    expect(await refusal({ traceId }, foreign)).toBe("NOT_FOUND");
    expect(await refusal({ traceId, after: 0 }, world.apiKey)).toBe("VALIDATION_FAILED");
    const other = await createKeyWith(world.server, world.workspaceId, ["traces:write"]);
    expect(await refusal({ traceId }, other)).toBe("INSUFFICIENT_SCOPE");
  });
});

describe("trace.updated", () => {
  it("reaches subscribers of another node within seconds", async () => {
    const socket = await open(EVENTS);
    expect(await next(socket)).toMatchObject({ __typename: "StreamOpened" });
    const traceId = newTraceId();
    await send([createSpan({ traceId })], second);
    const own = { type: "trace.updated", subjectUuid: toTraceUuid(traceId) };
    let seen: unknown;
    do seen = await next(socket);
    while (
      !isDeepStrictEqual(seen, { __typename: "Event", ...own, data: { status: "unset", generation: 1 } })
    );
  });
});
