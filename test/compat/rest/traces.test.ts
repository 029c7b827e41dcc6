import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
  toNanoseconds,
} from "../../support/otlp.ts";
import { toAttributes } from "../../support/agent-logs.ts";
import { createCallSpan, numberAttribute } from "../../support/trace-scene.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ agent } = await world.another());
});

const CHAT = textAttribute("gen_ai.operation.name", "chat");

function said(text: string): OtlpMessage {
  return textAttribute("gen_ai.input.messages", text);
}

async function send(...spans: OtlpMessage[]): Promise<void> {
  expect((await agent.post("/v1/traces", createRequest(spans))).text).toBe("{}");
}

async function list(query = ""): Promise<string[]> {
  const { body } = await agent.get(`/api/v1/operator/traces${query}`);
  return body.traces.map(({ trace_id: id }: { trace_id: string }) => id);
}

describe("GET /api/v1/operator/traces", () => {
  it("lists traces, the last ones first, with their sums", async () => {
    const [first, second] = [newTraceId(), newTraceId()];
    const root = createSpan({
      ...{ traceId: first, name: "invoke_agent billing", attributes: [CHAT] },
      ...{ startTimeUnixNano: "1795345643431000000", endTimeUnixNano: "1795345644931000000" },
    });
    await send(
      root,
      createSpan({ ...root, spanId: "b".repeat(16), parentSpanId: root["spanId"], status: { code: 2 } }),
    );
    await send(
      createSpan({ traceId: second, parentSpanId: "c".repeat(16), attributes: [CHAT], endTimeUnixNano: 0 }),
    );
    const { status, body } = await agent.get("/api/v1/operator/traces");
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject({ total: 2, has_more: false });
    expect(body.traces).toMatchObject([
      {
        trace_id: second,
        incomplete: true,
        open_count: 1,
        lost: false,
        ended_at: null,
        duration_ms: null,
        status: "unset",
      },
      {
        ...{ trace_id: first, root_name: "invoke_agent billing", incomplete: false, status: "error" },
        ...{ span_count: 2, llm_count: 2, error_count: 1, open_count: 0, duration_ms: 1500 },
        ...{ started_at: "2026-11-22T11:07:23.431Z", ended_at: "2026-11-22T11:07:24.931Z", generation: 1 },
      },
    ]);
  });

  it("knows an agent's work by the words of other senders than the semantic conventions", async () => {
    const traceId = newTraceId();
    const attributes = [
      textAttribute("openinference.span.kind", "LLM"),
      textAttribute("llm.model_name", "some-model"),
      textAttribute("session.id", "conversation-2"),
    ];
    await send(createSpan({ traceId, attributes }));
    const { body } = await agent.get(`/api/v1/traces/${traceId}`);
    expect(body).toMatchObject({
      trace: { conversation_id: "conversation-2", llm_count: 1 },
      spans: [{ op: "llm" }],
    });
    expect(await list()).toEqual([traceId]);
  });

  it("pages, also by cursors in GraphQL", async () => {
    const ids = [newTraceId(), newTraceId(), newTraceId()];
    for (const traceId of ids) await send(createSpan({ traceId, attributes: [CHAT] }));
    const newest = ids.toReversed();
    expect(await list("?limit=2")).toEqual(newest.slice(0, 2));
    expect(await list("?limit=2&offset=2")).toEqual(newest.slice(2));
    const query =
      "query ($after: String) { traces(first: 2, after: $after) { pageInfo { endCursor } nodes { traceId } } }";
    const page = await agent.graphql(query);
    const { endCursor: after } = page.body.data.traces.pageInfo;
    const next = await agent.graphql(query, { after });
    expect(next.body.data.traces.nodes).toEqual([{ traceId: newest[2] }]);
  });

  it("hides traces of which nothing is known, unless they failed or are asked for", async () => {
    const [work, failed, plumbing] = [newTraceId(), newTraceId(), newTraceId()];
    await send(createSpan({ traceId: plumbing }));
    await send(createSpan({ traceId: failed, status: { code: 2 } }));
    await send(createSpan({ traceId: work, attributes: [CHAT] }));
    expect(await list()).toEqual([work, failed]);
    expect(await list("?plumbing=true")).toEqual([work, failed, plumbing]);
    expect(await list("?status=error")).toEqual([failed]);
  });

  it("filters by conversation, agent and time", async () => {
    const [one, other] = [newTraceId(), newTraceId()];
    await send(
      createSpan({ traceId: one, attributes: [CHAT, textAttribute("gen_ai.conversation.id", "c 1")] }),
    );
    await send(createSpan({ traceId: other, attributes: [CHAT] }));
    expect(await list("?conversation_id=c%201")).toEqual([one]);
    const { body } = await agent.get("/api/v1/operator/traces");
    const [{ agent_id: agentId, first_seen_at: last }, { first_seen_at: first }] = body.traces;
    expect(await list(`?agent_id=${agentId}`)).toEqual([other, one]);
    expect(await list(`?agent_id=${crypto.randomUUID()}`)).toEqual([]);
    expect(await list(`?from=${last}`)).toEqual([other]);
    expect(await list(`?from=${first}&to=${last}`)).toEqual([one]);
    for (const wrong of ["status=lost", "agent_id=1", "from=today", "nam=x", "limit=101", "plumbing=1"]) {
      expect((await agent.get(`/api/v1/operator/traces?${wrong}`)).status, wrong).toBe(400);
    }
  });

  it("needs traces:read, or a session", async () => {
    expect((await createTestClient(world.server.url).get("/api/v1/operator/traces")).status).toBe(401);
    const other = await world.agentWith("traces:write");
    expect((await other.get("/api/v1/operator/traces")).status).toBe(403);
  });
});

describe("GET /api/v1/traces/{trace_id}", () => {
  it("lists the spans of a trace, page by page", async () => {
    const traceId = newTraceId();
    const at = new Date("2026-11-22T10:00:00Z");
    const root = createSpan({
      ...{ traceId, name: "root", startTimeUnixNano: toNanoseconds(at) },
      endTimeUnixNano: `${at.getTime()}001234567`.slice(0, 19),
    });
    const children = Array.from({ length: 5100 }, (_, index) =>
      createSpan({
        ...{ traceId, name: `child ${index % 3}`, parentSpanId: root["spanId"] },
        startTimeUnixNano: `${at.getTime() + index}000000`,
        endTimeUnixNano: 0,
      }),
    );
    for (let start = 0; start < 5100; start += 1700) await send(root, ...children.slice(start, start + 1700));
    const path = `/api/v1/traces/${traceId.toUpperCase()}`;
    const first = await agent.get(path);
    expect(first.body.trace).toMatchObject({ trace_id: traceId, span_count: 5101, open_count: 5100 });
    expect(first.body.spans).toHaveLength(5000);
    const second = await agent.get(`${path}?after=${first.body.next}`);
    expect(second.body.next).toBeNull();
    const spans = [...first.body.spans, ...second.body.spans];
    expect(new Set(spans.map(({ span_id: id }) => id)).size).toBe(5101);
    expect(spans.find(({ name }) => name === "root")).toMatchObject({
      ...{
        span_id: root["spanId"],
        parent_span_id: null,
        start_us: 0,
        kind: 1,
        op: "other",
        service: false,
        status: "unset",
      },
    });
    expect(spans.find(({ span_id: id }) => id === children[7]?.["spanId"])).toMatchObject({
      ...{ name: "child 1", parent_span_id: root["spanId"], start_us: 7000, duration_us: null },
    });
  });

  it("answers 404 without such a trace, and 400 for a page that can't be", async () => {
    expect((await agent.get(`/api/v1/traces/${newTraceId()}`)).status).toBe(404);
    expect((await agent.get("/api/v1/traces/x")).status).toBe(404);
    expect((await agent.get(`/api/v1/traces/${newTraceId()}?after=x`)).status).toBe(400);
  });
});

describe("GET /api/v1/traces/{trace_id}/spans/{span_id}", () => {
  it("reads a span, and its content if asked for", async () => {
    const span = createSpan({ name: "chat", attributes: [CHAT, said("[]"), textAttribute("x", "1")] });
    await send(span);
    const path = `/api/v1/traces/${String(span["traceId"])}/spans/${String(span["spanId"])}`;
    const { body } = await agent.get(path);
    expect(body.span).toMatchObject({
      ...{
        span_id: span["spanId"],
        name: "chat",
        op: "llm",
        status: "unset",
        scope: "test",
        duration_us: 1_000_000,
      },
      ...{
        attributes: { x: "1" },
        resource: { "service.name": "billing" },
        events: [],
        links: [],
        dropped: 0,
      },
    });
    expect(body.span).not.toHaveProperty("content");
    const full = await agent.get(`${path}?content=true`);
    expect(full.body.span.content).toEqual({ input: { "gen_ai.input.messages": "[]" }, output: null });
    expect((await agent.get(path.slice(0, -4) + "0000")).status).toBe(404);
    expect((await agent.get(`${path}?content=yes`)).status).toBe(400);
  });

  it("says whether parts of the tokens are more than their whole", async () => {
    for (const [name, part, isOdd] of [
      ["reasoning.output_tokens", 1, false],
      ["reasoning.output_tokens", 6, true],
      ["cache_read.input_tokens", 10, false],
    ] as const) {
      const attributes = [numberAttribute(`gen_ai.usage.${name}`, part)];
      const span = createCallSpan({ model: "m", input: 10, output: 5, attributes });
      await send(span);
      const path = `/api/v1/traces/${String(span["traceId"])}/spans/${String(span["spanId"])}`;
      expect((await agent.get(path)).body.span.usage_odd).toBe(isOdd);
    }
    const codex = { "gen_ai.usage.input_tokens": 1, "gen_ai.usage.cache_read.input_tokens": 2 };
    const span = createSpan({ name: "handle_responses", attributes: toAttributes(codex) });
    const request = { resourceSpans: [{ scopeSpans: [{ scope: { name: "codex_exec" }, spans: [span] }] }] };
    expect((await agent.post("/v1/traces", request)).text).toBe("{}");
    const path = `/api/v1/traces/${String(span["traceId"])}/spans/${String(span["spanId"])}`;
    expect((await agent.get(path)).body.span).toMatchObject({ cache_read_tokens: 2, usage_odd: true });
  });
});

describe("a trace", () => {
  it("has only the spans of its workspace, also if another one has the same ids", async () => {
    const traceId = newTraceId();
    const [own, foreign] = [createSpan({ traceId }), createSpan({ traceId, attributes: [said("secret")] })];
    await send(own);
    expect((await world.agent.post("/v1/traces", createRequest([foreign]))).text).toBe("{}");
    const { body } = await agent.get(`/api/v1/traces/${traceId}`);
    expect(body.spans).toMatchObject([{ span_id: own["spanId"] }]);
    const spans = `/api/v1/traces/${traceId}/spans`;
    expect((await agent.get(`${spans}/${String(foreign["spanId"])}?content=true`)).status).toBe(404);
  });

  it("is a node", async () => {
    const span = createSpan({ attributes: [CHAT] });
    await send(span);
    const uuid = String(span["traceId"]).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    const { body } = await agent.graphql(
      "query ($id: ID!) { node(id: $id) { ... on Trace { id rootName } } }",
      {
        id: toGlobalId("Trace", uuid),
      },
    );
    expect(body.data.node).toEqual({ id: toGlobalId("Trace", uuid), rootName: "work" });
  });
});
