import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRequest, createSpan, newTraceId, toProtobuf } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { createCallSpan } from "../../support/trace-scene.ts";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

describe("POST /v1/traces", () => {
  it("stores protobuf whose texts are no UTF-8", async () => {
    const spans = [createSpan({ name: "first \u0001\u0001" }), createSpan({ name: "second" })];
    const body = Buffer.from(toProtobuf(createRequest(spans)));
    // The bytes of the marks: none that UTF-8 has, and the beginning of a character that doesn't end.
    body.set([0xff, 0xe2], body.indexOf("\u0001\u0001"));
    const { status } = await fetch(`${server.url}/v1/traces`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" },
      body,
    });
    expect(status).toBe(200);
    const names = (await readStoredSpans(server.database, workspaceId)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["first \ufffd\ufffd", "second"]));
  });

  it("stores spans of clocks that are wrong by decades on the day on which they come", async () => {
    const traceId = newTraceId();
    const at = (year: string) => `${Date.parse(`${year}-05-01T00:00:00Z`)}000000`;
    const old = { traceId, startTimeUnixNano: "1000000", endTimeUnixNano: at("1971") };
    const answer = await agent.post(
      "/v1/traces",
      createRequest([
        createCallSpan({ model: "m", input: 1, cost: 0.25 }, old),
        createSpan({ traceId, startTimeUnixNano: at("2200"), endTimeUnixNano: at("2201") }),
        createSpan({ traceId, startTimeUnixNano: at("1999"), endTimeUnixNano: at("2200") }),
        createSpan({ traceId, startTimeUnixNano: at("2010"), endTimeUnixNano: at("2009") }),
      ]),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        partialSuccess: {
          rejectedSpans: "2",
          errorMessage: "span 2: started more than 24 h ahead; span 3: ended more than 24 h ahead",
        },
      },
    });
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const list = await agent.get(`/api/v1/operator/traces?from=${from}&to=${to}`);
    const paid = { cost_usd: "0.250000000000" };
    expect(list.body.traces).toMatchObject([{ trace_id: traceId, span_count: 2, ...paid }]);
    const usage = await agent.get(`/api/v1/operator/usage?period=hour&from=${from}&to=${to}`);
    expect(usage.body.usage).toMatchObject([{ calls: 1, ...paid }]);
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
  });
});
