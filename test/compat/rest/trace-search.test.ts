import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
  toNanoseconds,
} from "../../support/otlp.ts";
import type { TestClient } from "../../support/test-client.ts";
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
const TRACES = "/api/v1/operator/traces";

/** Sends a trace of one span. @returns its id. */
async function send(given: OtlpMessage = {}): Promise<string> {
  const traceId = newTraceId();
  const { attributes = [], ...rest } = given;
  const span = createSpan({ traceId, ...rest, attributes: [CHAT, ...(attributes as OtlpMessage[])] });
  expect((await agent.post("/v1/traces", createRequest([span]))).text).toBe("{}");
  return traceId;
}

/** A call of a model that says what it cost. */
function createCall(model: string, costUsd: number): OtlpMessage {
  return {
    attributes: [
      textAttribute("gen_ai.request.model", model),
      { key: "gen_ai.usage.input_tokens", value: { intValue: "10" } },
      { key: "gen_ai.usage.cost", value: { doubleValue: costUsd } },
    ],
  };
}

async function find(query: string): Promise<string[]> {
  const { status, body } = await agent.get(`${TRACES}?${query}`);
  expect({ status, body }).toMatchObject({
    ...{ status: 200, body: { pagination: { total: null, has_more: false, searched_until: null } } },
  });
  return body.traces.map(({ trace_id: id }: { trace_id: string }) => id);
}

describe("GET /api/v1/operator/traces, searched", () => {
  it("finds a part of the name of any span, in any case", async () => {
    const [first, second] = [
      await send({ name: "Refund order 1" }),
      await send({ name: "execute_tool 50%" }),
    ];
    const child = { traceId: second, parentSpanId: "b".repeat(16), name: "later REFUND" };
    await agent.post("/v1/traces", createRequest([createSpan(child)]));
    expect(await find("name=refund")).toEqual([second, first]);
    expect(await find("name=order%201")).toEqual([first]);
    expect(await find("name=50%25")).toEqual([second]);
    for (const name of ["%25", "_"]) expect(await find(`name=${name}`)).toEqual([second]);
    expect(await find("name=charge")).toEqual([]);
  });

  it("finds an attribute as text, number or boolean, on the span with the name", async () => {
    const text = await send({ name: "a", attributes: [textAttribute("order", "42")] });
    const number = await send({
      ...{ name: "b", attributes: [{ key: "order", value: { intValue: "42" } }] },
    });
    const flag = await send({ attributes: [{ key: "vip", value: { boolValue: true } }] });
    expect(await find("attr=order:42")).toEqual([number, text]);
    expect(await find("attr=order:42&name=b")).toEqual([number]);
    expect(await find("attr=vip:true")).toEqual([flag]);
    expect(await find("attr=order:4")).toEqual([]);
    const url = await send({ attributes: [textAttribute("url", "http://a:1")] });
    expect(await find("attr=url:http://a:1")).toEqual([url]);
  });

  it("finds the use of a tool, by its whole name", async () => {
    const operation = textAttribute("gen_ai.operation.name", "execute_tool");
    const used = await send({ attributes: [operation, textAttribute("gen_ai.tool.name", "stripe.refund")] });
    await send({ attributes: [operation, textAttribute("gen_ai.tool.name", "stripe.refunds")] });
    await send({ name: "stripe.refund" });
    expect(await find("tool=stripe.refund")).toEqual([used]);
    expect(await find("tool=stripe.refund&name=none")).toEqual([]);
  });

  it("finds models, and what cost or took at least so much", async () => {
    const [cheap, dear] = [await send(createCall("small-1", 0.25)), await send(createCall("large-1", 1.5))];
    expect(await find("model=small-1")).toEqual([cheap]);
    expect(await find("min_cost=0.25")).toEqual([dear, cheap]);
    expect(await find("min_cost=0.250000000001")).toEqual([dear]);
    const startTimeUnixNano = toNanoseconds(new Date(Date.now() - 60_000));
    const long = await send({ startTimeUnixNano, endTimeUnixNano: toNanoseconds(new Date()) });
    const open = await send({ startTimeUnixNano, endTimeUnixNano: "0" });
    expect(await find("min_duration_ms=30000")).toEqual([open, long]);
    expect(await find("min_duration_ms=3600000")).toEqual([]);
  });

  it("combines a search with other filters", async () => {
    const failed = await send({ name: "refund", status: { code: 2 } });
    const talk = textAttribute("gen_ai.conversation.id", "c1");
    const talked = await send({ name: "refund", attributes: [talk] });
    expect(await find("name=refund&status=error")).toEqual([failed]);
    expect(await find("name=refund&conversation_id=c1")).toEqual([talked]);
    expect(await find("name=refund&conversation_id=c1&status=error")).toEqual([]);
    const { body } = await agent.get(`/api/v1/traces/${talked}`);
    expect(await find(`name=refund&from=${body.trace.first_seen_at}`)).toEqual([talked]);
    expect(await find(`name=refund&to=${body.trace.first_seen_at}`)).toEqual([failed]);
    const traceId = newTraceId();
    await agent.post("/v1/traces", createRequest([createSpan({ traceId, name: "refund plumbing" })]));
    expect(await find("name=refund%20p")).toEqual([]);
    expect(await find("name=refund%20p&plumbing=true")).toEqual([traceId]);
  });

  it("goes on after its cursor, as does a list", async () => {
    const ids = [
      await send({ name: "x" }),
      await send({ name: "x" }),
      await send({ name: "x" }),
    ].toReversed();
    for (const query of ["name=x", ""]) {
      const first = await agent.get(`${TRACES}?${query}&limit=2`);
      const { next_cursor: cursor, has_more: hasMore } = first.body.pagination;
      expect(hasMore).toBe(true);
      const { body, headers } = await agent.get(`${TRACES}?${query}&limit=2&cursor=${cursor}`);
      const found = [...first.body.traces, ...body.traces].map(({ trace_id: id }) => id);
      expect(found).toEqual(ids);
      expect(body.pagination).toMatchObject({ has_more: false, next_cursor: null, next_offset: null });
      const link = String(first.headers.get("link"));
      expect(link).toContain(query === "" ? 'offset=2>; rel="next"' : `cursor=${cursor}&name=x>; rel="next"`);
      expect(headers.get("link")).not.toContain("next");
    }
  });

  it("rejects values out of range, and offsets of a search", async () => {
    for (const [wrong, field] of [
      ["attr=order", "attr"],
      ["attr=:1", "attr"],
      ["min_cost=-1", "min_cost"],
      ["min_cost=1e3", "min_cost"],
      ["min_cost=NaN", "min_cost"],
      ["min_duration_ms=0", "min_duration_ms"],
      ["min_duration_ms=1.5", "min_duration_ms"],
      [`name=${"x".repeat(257)}`, "name"],
      ["name=%00", "name"],
      ["name=", "name"],
    ]) {
      const { status, body } = await agent.get(`${TRACES}?${wrong}`);
      expect({ status, body }, wrong).toMatchObject({
        status: 400,
        body: { code: "invalid_parameter", field },
      });
    }
    for (const [wrong, field] of [
      ["name=x&offset=1", "offset"],
      ["name=x&cursor=x", "cursor"],
      ["cursor=x", "cursor"],
    ]) {
      const { status, body } = await agent.get(`${TRACES}?${wrong}`);
      expect({ status, body }, wrong).toMatchObject({
        status: 400,
        body: { code: "invalid_parameter", field },
      });
    }
  });
});
