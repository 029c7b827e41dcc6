import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRequest, createSpan, newTraceId } from "../../support/otlp.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let path: string;

const traceId = newTraceId();
const spanId = "00f067aa0ba902b7";

beforeAll(async () => {
  world = await createWorld();
  path = `/api/v1/traces/${traceId}/scores`;
  await world.agent.post("/v1/traces", createRequest([createSpan({ traceId, spanId })]));
});

afterAll(() => world.server.close());

describe("POST /api/v1/traces/{trace_id}/scores", () => {
  it("gives a score, which the list shows until a newer one replaces it", async () => {
    const given = { name: "accuracy", value: 0.5, label: "fair", span_id: spanId, annotator_kind: "llm" };
    const { status, body } = await world.agent.post(path, given);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { score: { ...given, trace_id: traceId, comment: null, generation: 1 } },
    });
    expect((await world.agent.get(path)).body).toEqual({ scores: [body.score] });
    const newer = await world.agent.post(path, { ...given, value: 1, comment: "Better." });
    const { scores } = (await world.agent.get(path)).body;
    expect(scores).toEqual([newer.body.score]);
    expect(scores).toMatchObject([{ id: body.score.id, value: 1, comment: "Better.", generation: 2 }]);
  });

  it("is given by a program if it doesn't say by what", async () => {
    const { body } = await world.agent.post(path, { name: "length", label: "short" });
    expect(body.score).toMatchObject({ annotator_kind: "code", span_id: null, value: null });
    expect(body.score.given_by.type).toBe("agent");
  });

  it.each([
    [{}, 422, "name"],
    [{ name: "x" }, 422, "value"],
    [{ name: "x", value: "1" }, 422, "value"],
    [{ name: "x", value: 1e13 }, 422, "value"],
    [{ name: "x", value: 1, span_id: "1" }, 422, "span_id"],
    [{ name: "x", value: 1, annotator_kind: "human" }, 422, "annotator_kind"],
  ])("rejects %j", async (given, status, field) => {
    const { status: answered, body } = await world.agent.post(path, given);
    expect({ status: answered, field: body.field }).toEqual({ status, field });
  });

  it("needs a credential with traces:write, and a trace of its workspace", async () => {
    const given = { name: "x", value: 1 };
    expect((await createTestClient(world.server.url).post(path, given)).status).toBe(401);
    const reader = await world.agentWith("traces:read");
    const { status, body } = await reader.post(path, given);
    expect({ status, code: body.code }).toEqual({ status: 403, code: "insufficient_scope" });
    const { agent: stranger } = await world.another();
    expect((await stranger.post(path, given)).status).toBe(404);
    expect((await world.agent.post(path.replace(traceId, "1"), given)).status).toBe(404);
  });
});

describe("GET /api/v1/traces/{trace_id}/scores", () => {
  it("needs traces:read, and a trace of its workspace", async () => {
    const writer = await world.agentWith("traces:write");
    expect((await writer.get(path)).status).toBe(403);
    expect((await createTestClient(world.server.url).get(path)).status).toBe(401);
    const { agent: stranger } = await world.another();
    expect((await stranger.get(path)).status).toBe(404);
  });
});
