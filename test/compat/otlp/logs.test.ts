import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decode } from "../../../compat/otlp/decode.ts";
import { SPAN_LIMITS } from "../../../src/domain/traces/span-limits.ts";
import {
  CLAUDE,
  createClaudeLogs,
  createCodexLogs,
  createLogsRequest,
  createRecord,
} from "../../support/agent-logs.ts";
import { createReadOptions } from "../../support/read-options.ts";
import { type OtlpMessage, fromProtobuf, toProtobuf } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { readStoredSpans } from "../../support/stored-spans.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { readUsage, sumChargedCalls } from "../../support/usage-reference.ts";

const LOGS = "ExportLogsServiceRequest";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer({ OTLP_MAX_MIB: "1" });
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

async function send(body: OtlpMessage): Promise<void> {
  expect(await agent.post("/v1/logs", body)).toMatchObject({ status: 200, text: "{}" });
}

/** What the workspace is charged: tokens of input and output, and millionths of a dollar. */
async function readCharged() {
  const all = await readUsage(server.database, workspaceId, "all");
  expect(all).toEqual(await sumChargedCalls(server.database, workspaceId));
  const { calls = 0, input = 0, output = 0, cost = 0n } = all["workspace "] ?? {};
  return { calls, input, output, micros: Number(cost) / 1e6 };
}

const CLAUDE_CHARGED = { calls: 2, input: 270, output: 10, micros: 750 };

describe("POST /v1/logs", () => {
  it("reads the same from JSON and from protobuf, in both paths", async () => {
    for (const create of [createClaudeLogs, createCodexLogs]) {
      const request = create();
      const options = createReadOptions();
      const json = { bytes: Buffer.from(JSON.stringify(request)), signal: "logs", encoding: "json" } as const;
      const protobuf = { bytes: toProtobuf(request, LOGS), signal: "logs", encoding: "protobuf" } as const;
      const read = decode(json, options);
      expect(decode(protobuf, options)).toEqual(read);
      expect(read.calls.length).toBeGreaterThan(0);
    }
    const answer = await fetch(`${server.url}/api/v1/logs`, {
      method: "POST",
      body: toProtobuf(createClaudeLogs(), LOGS),
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" },
    });
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
  });

  it("says which records can't be stored, and drops what says nothing of an agent's work", async () => {
    const named = { "event.name": "api_request", input_tokens: "5" };
    const records = [
      createRecord({ message: "hello" }),
      createRecord(named),
      createRecord({ ...named, "session.id": "s", cost_usd: "-1" }),
      createRecord({ ...named, "session.id": "s" }, { timeUnixNano: "7258118400000000000" }),
      { attributes: {} },
      "no record",
      createRecord({ ...named, "session.id": "s" }, { traceId: "1", spanId: "2" }),
    ];
    const answer = await agent.post("/v1/logs", createLogsRequest(records, { scope: CLAUDE.events }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      partialSuccess: {
        rejectedLogRecords: "5",
        errorMessage: [
          ...["record 2: names no session", "record 3: says tokens or a cost that no call has"],
          ...["record 4: started more than 24 h ahead", "record 5: attributes must be a list"],
          "record 6: is not an object",
        ].join("; "),
      },
    });
    expect(await readCharged()).toMatchObject({ calls: 1, input: 5 });
    const bad = await agent.post(
      "/v1/logs",
      createLogsRequest([createRecord(named)], { scope: CLAUDE.events }),
    );
    expect(bad.status).toBe(400);
    expect(JSON.parse(bad.text).message).toBe("No record could be stored. record 1: names no session.");
    await send(createLogsRequest([createRecord({ message: "hello" })]));
    await send({ resourceLogs: [] });
  });

  it("stores nothing of a record that can't be read, and the rest", async () => {
    // ResourceLogs { ScopeLogs { LogRecord { attributes with more bytes than there are } } }
    const malformed = Buffer.from([0x0a, 0x06, 0x12, 0x04, 0x12, 0x02, 0x32, 0x7f]);
    const body = Buffer.concat([toProtobuf(createClaudeLogs(), LOGS), malformed]);
    const answer = await fetch(`${server.url}/v1/logs`, {
      method: "POST",
      body: new Uint8Array(body),
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" },
    });
    expect(fromProtobuf(new Uint8Array(await answer.arrayBuffer()), "ExportTraceServiceResponse")).toEqual({
      partialSuccess: { rejectedSpans: "1", errorMessage: "record 3: is malformed" },
    });
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
  });

  it("stores texts with characters that PostgreSQL can't, and huge and deep values, within the limits", async () => {
    const bad = "a\u0000b\ud800c";
    let deep: OtlpMessage = { stringValue: "x" };
    for (let depth = 0; depth < 200; depth++) deep = { arrayValue: { values: [deep] } };
    const record = createRecord(
      { "event.name": "tool_result", "session.id": bad, [bad]: bad, long: "x".repeat(200_000) },
      { body: deep },
    );
    await send(createLogsRequest([record], { scope: CLAUDE.events }));
    const [span] = await readStoredSpans(server.database, workspaceId);
    const good = "a\ufffdb\ufffdc";
    expect(span).toMatchObject({ attributes: { [good]: good, "event.name": "claude_code.tool_result" } });
    expect(JSON.stringify(span?.["attributes"]).length).toBeLessThan(SPAN_LIMITS.spanLength);
    const call = {
      "event.name": "api_request",
      "session.id": bad,
      model: bad,
      input_tokens: "5",
      request_id: bad,
    };
    await send(createLogsRequest([createRecord(call)], { scope: CLAUDE.events }));
    expect(await readCharged()).toMatchObject({ calls: 1, input: 5 });
  });

  it("charges the most that copies say, in one request or several", async () => {
    const own = { "event.name": "api_request", "session.id": "s", request_id: "r" };
    const copies = [
      createRecord({ ...own, input_tokens: 5, output_tokens: 9, cost_usd_micros: 20 }),
      createRecord({ ...own, input_tokens: 8, output_tokens: 2, cost_usd_micros: 30 }),
    ];
    await send(createLogsRequest(copies, { scope: CLAUDE.events }));
    await send(createLogsRequest(copies.slice(0, 1), { scope: CLAUDE.events }));
    expect(await readCharged()).toEqual({ calls: 1, input: 8, output: 9, micros: 30 });
  });

  it("reads a large body in a thread", async () => {
    const own = { "event.name": "api_request", "session.id": "s", cost_usd_micros: 1, pad: "x".repeat(300) };
    const ids = { traceId: CLAUDE.traceId, spanId: CLAUDE.interaction };
    const records = Array.from({ length: 1200 }, (_, at) =>
      createRecord({ ...own, request_id: `r${at}` }, ids),
    );
    await send(createLogsRequest(records, { scope: CLAUDE.events }));
    expect(await readCharged()).toMatchObject({ calls: 1200, micros: 1200 });
  });

  it("counts calls once for the quota, after which nothing is accepted", async () => {
    await server.database.query("UPDATE workspace SET spans_per_day = 3 WHERE id = $1", [workspaceId]);
    for (let times = 0; times < 3; times++) await send(createClaudeLogs());
    await send(
      createLogsRequest([createRecord({ "event.name": "api_request", "session.id": "s", cost_usd: "1" })], {
        scope: CLAUDE.events,
      }),
    );
    expect(await agent.post("/v1/logs", createCodexLogs())).toMatchObject({ status: 429 });
  });

  it("needs traces:write, and allows only POST", async () => {
    const minted = await agent.post("/api/v1/agent_tokens", { scopes: ["traces:read"] });
    const reader = createTestClient(server.url, minted.body.token);
    expect((await reader.post("/v1/logs", createClaudeLogs())).status).toBe(403);
    expect((await agent.get("/v1/logs")).status).toBe(405);
    expect(await readCharged()).toEqual({ calls: 0, input: 0, output: 0, micros: 0 });
  });
});
