import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockTable } from "../../support/locked-table.ts";
import { createRequest, createSpan, newSpanId, newTraceId, toProtobuf } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const ids = { traceId: newTraceId(), spanId: newSpanId() };
/** So many copies of a span that two requests can be in memory for a workspace. */
const BODY = toProtobuf(createRequest(Array.from({ length: 68_000 }, () => createSpan(ids))));

async function post(apiKey: string): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" };
  return fetch(`${server.url}/v1/traces`, { method: "POST", headers, body: BODY });
}

describe("POST /v1/traces", () => {
  it("refuses a workspace's requests while too many of its spans are being stored", async () => {
    const { apiKey } = await server.createWorkspace();
    const lock = await lockTable(server.database, "trace");
    const stored = [post(apiKey), post(apiKey)];
    await lock.waiters(2);
    const refused = await post(apiKey);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
    await lock.release();
    for (const answer of stored) expect((await answer).status).toBe(200);
  });
});
