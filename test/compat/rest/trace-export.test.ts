import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPORT_PAGE } from "../../../src/domain/traces/export/export-traces.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
} from "../../support/otlp.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

const EXPORT = "/api/v1/operator/traces/export";

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("GET /api/v1/operator/traces/export", () => {
  it("answers requests of OpenTelemetry, which another workspace takes and exports alike", async () => {
    const [one, other] = [await world.another(), await world.another()];
    const traceId = newTraceId();
    for (const at of [1, 2, 3]) {
      const attributes = [textAttribute("gen_ai.prompt", `question ${at}`), textAttribute("a", "b")];
      const span = createSpan({ traceId: at === 3 ? newTraceId() : traceId, attributes });
      await one.agent.post("/v1/traces", createRequest([span]));
    }
    const whole = `${EXPORT}?content=true`;
    const { status, headers, text } = await one.agent.get(whole);
    expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(text).toContain("question 3");
    for (const line of lines) expect((await other.agent.post("/v1/traces", line)).text).toBe("{}");
    expect((await other.agent.get(whole)).text).toBe(text);
    expect((await one.agent.get(EXPORT)).text).not.toContain("question");
    expect((await one.agent.get(`${EXPORT}?to=2020-01-01T00:00:00Z`)).text).toBe("");
  });

  it("ends when the credential is revoked, without an end of its own", async () => {
    const { agent, apiKey } = await world.another();
    const minted = await agent.post("/api/v1/agent_tokens", { name: "exporter" });
    const traceId = newTraceId();
    const attributes = ["a", "b", "c"].map((key) => textAttribute(key, "x".repeat(60_000)));
    const spans = Array.from({ length: 200 }, () => createSpan({ traceId, attributes }));
    for (let at = 0; at < spans.length; at += 40) await send(agent, spans.slice(at, at + 40));
    const response = await fetch(world.server.url + EXPORT, {
      headers: { authorization: `Bearer ${minted.body.token}` },
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeLessThanOrEqual(EXPORT_PAGE.characters + 200_000);
    const owner = createTestClient(world.server.url, apiKey);
    expect((await owner.delete(`/api/v1/agent_tokens/${minted.body.id}`)).status).toBe(204);
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    };
    await expect(rest()).rejects.toThrow("terminated");
  });

  it("is for people too, without content for viewers", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const viewer = createTestClient(world.server.url, undefined, { cookie });
    expect((await viewer.get(EXPORT)).status).toBe(200);
    const { status, body } = await viewer.get(`${EXPORT}?content=true`);
    expect({ status, code: body.code }).toEqual({ status: 403, code: "forbidden" });
  });

  it("rejects malformed parameters, and callers without a credential or scope", async () => {
    expect((await world.agent.get(`${EXPORT}?from=x`)).body.code).toBe("invalid_parameter");
    expect((await world.agent.get(`${EXPORT}?content=1`)).body.code).toBe("invalid_parameter");
    expect((await createTestClient(world.server.url).get(EXPORT)).status).toBe(401);
    const writer = await world.agentWith("traces:write");
    expect((await writer.get(EXPORT)).body.code).toBe("insufficient_scope");
  });
});

async function send(agent: TestWorld["agent"], spans: readonly OtlpMessage[]): Promise<void> {
  expect((await agent.post("/v1/traces", createRequest(spans))).text).toBe("{}");
}
