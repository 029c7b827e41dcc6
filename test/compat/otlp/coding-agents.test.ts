import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CLAUDE,
  CODEX,
  createClaudeLogs,
  createClaudeSpans,
  createCodexLogs,
  createCodexSpans,
  createLogsRequest,
  createRecord,
} from "../../support/agent-logs.ts";
import { createClaudeMetrics, createCodexMetrics } from "../../support/agent-metrics.ts";
import { type OtlpMessage, createRequest, newSpanId, newTraceId } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { createCallSpan } from "../../support/trace-scene.ts";
import { readUsage, sumChargedCalls } from "../../support/usage-reference.ts";

let server: TestServer;
let workspaceId: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const workspace = await server.createWorkspace();
  ({ workspaceId } = workspace);
  agent = createTestClient(server.url, workspace.apiKey);
});

const PATHS = [
  ...[["resourceSpans", "/v1/traces"] as const, ["resourceLogs", "/v1/logs"] as const],
  ["resourceMetrics", "/v1/metrics"] as const,
];

async function send(body: OtlpMessage): Promise<void> {
  const [path] = PATHS.filter(([list]) => list in body).map(([, one]) => one);
  expect(await agent.post(path ?? "", body)).toMatchObject({ status: 200, text: "{}" });
}

/** What the workspace is charged: tokens of input and output, and millionths of a dollar. */
async function readCharged() {
  const all = await readUsage(server.database, workspaceId, "all");
  expect(all).toEqual(await sumChargedCalls(server.database, workspaceId));
  const { calls = 0, input = 0, output = 0, cost = 0n } = all["workspace "] ?? {};
  return { calls, input, output, micros: Number(cost) / 1e6 };
}

/** The traces that lists show: how many spans each has. */
async function readShown(): Promise<number[]> {
  const { body } = await agent.get("/api/v1/operator/traces");
  return body.traces.map(({ span_count: count }: { span_count: number }) => count);
}

function createOrders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    createOrders(items.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

const CLAUDE_CHARGED = { calls: 2, input: 270, output: 10, micros: 750 };

describe("Claude Code", () => {
  it.each(createOrders(["spans", "logs", "metrics"] as const))(
    "is charged once, by %s, %s and %s",
    async (...order) => {
      const create = { spans: createClaudeSpans, logs: createClaudeLogs, metrics: createClaudeMetrics };
      for (const what of [...order, ...order]) await send(create[what]());
      expect(await readCharged()).toEqual(CLAUDE_CHARGED);
      // Not the records, which name the span around the calls.
      expect(await readShown()).toEqual([3]);
    },
  );

  it("is charged once if its calls have no ids, and by its spans alone if it sends no logs", async () => {
    await send(createClaudeSpans({ requestIds: false }));
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
    for (let times = 0; times < 2; times++) await send(createClaudeLogs({ requestIds: false }));
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
  });

  it("that sends logs alone has a trace, with what its calls used", async () => {
    for (let times = 0; times < 2; times++) await send(createClaudeLogs({ ids: false }));
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
    const { body } = await agent.get("/api/v1/operator/traces");
    expect(body.traces).toMatchObject([
      {
        ...{ root_name: "claude_code.api_request", span_count: 2, input_tokens: 270, output_tokens: 10 },
        ...{ cost_usd: "0.000750000000", conversation_id: CLAUDE.session },
      },
    ]);
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
  });

  it("has its other events in the trace that they name, without what they used", async () => {
    const given = { traceId: CLAUDE.traceId, spanId: CLAUDE.interaction };
    const own = { "session.id": CLAUDE.session };
    const events = [
      createRecord({ ...own, "event.name": "tool_decision", decision: "reject" }, given),
      createRecord(
        { ...own, "event.name": "tool_result", tool_parameters: "secret", input_tokens: 5 },
        given,
      ),
      createRecord({ ...own, "event.name": "user_prompt", prompt: "hello" }, given),
    ];
    await send(createLogsRequest(events, { scope: CLAUDE.events }));
    await send(createClaudeSpans());
    const spans = await readStoredSpans(server.database, workspaceId);
    const found = spans.filter(({ parent_span_id: parent }) => parent === CLAUDE.interaction);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["claude_code.tool_decision", "claude_code.tool_result"]),
    );
    expect(found).toHaveLength(4);
    expect(found.find(({ name }) => name === "claude_code.tool_result")).toMatchObject({
      ...{ op: "other", usage_role: "none", input: { tool_parameters: "secret" } },
    });
    expect(await readCharged()).toEqual(CLAUDE_CHARGED);
  });
});

describe("Codex", () => {
  it.each(createOrders(["spans", "logs", "metrics"] as const))(
    "is charged once, by %s, %s and %s",
    async (...order) => {
      const create = { spans: createCodexSpans, logs: createCodexLogs, metrics: createCodexMetrics };
      for (const what of [...order, ...order]) await send(create[what]());
      expect(await readCharged()).toMatchObject({ calls: 1, input: 120, output: 7 });
      expect(await readShown()).toEqual([2]);
    },
  );

  it("shows one trace if its spans and its logs come at once", async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await server.createWorkspace();
      const sender = createTestClient(server.url, workspace.apiKey);
      await Promise.all([
        ...[sender.post("/v1/logs", createCodexLogs()), sender.post("/v1/traces", createCodexSpans())],
      ]);
      const { body } = await sender.get("/api/v1/operator/traces");
      expect(body.traces).toHaveLength(1);
    }
  });

  it("that sends logs alone has a trace", async () => {
    await send(createCodexLogs());
    expect(await readShown()).toEqual([1]);
    const [span] = await readStoredSpans(server.database, workspaceId);
    expect(span).toMatchObject({ name: "codex.sse_event", op: "llm", model: "gpt-5.5", input_tokens: "120" });
    expect(span?.["ended_at"]).toContain("2026-11-22 11:07:23.793");
  });

  it("hides nobody else's trace", async () => {
    const other = createTestClient(server.url, (await server.createWorkspace()).apiKey);
    await send(createCodexLogs());
    await other.post("/v1/traces", createCodexSpans());
    expect(await readShown()).toEqual([1]);
  });
});

describe("other senders", () => {
  const DETAILS = {
    ...{ "event.name": "gen_ai.client.inference.operation.details", "gen_ai.operation.name": "chat" },
    ...{ "gen_ai.response.model": "m", "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 3 },
  };

  it.each(["before", "after"])(
    "are charged once for a call and its details, if these come %s",
    async (when) => {
      const ids = { traceId: newTraceId(), spanId: newSpanId() };
      const details = createLogsRequest([createRecord(DETAILS, { ...ids, body: { stringValue: "x" } })]);
      if (when === "before") await send(details);
      await send(createRequest([createCallSpan({ model: "m", input: 10, output: 3 }, ids)]));
      await send(details);
      expect(await readCharged()).toMatchObject({ calls: 1, input: 10, output: 3 });
    },
  );

  it("are charged by their spans if the details name no trace", async () => {
    const session = { "gen_ai.conversation.id": "one" };
    await send(createLogsRequest([createRecord({ ...DETAILS, ...session })]));
    expect(await readCharged()).toMatchObject({ calls: 1, input: 10 });
    const attributes = [{ key: "gen_ai.conversation.id", value: { stringValue: "one" } }];
    await send(createRequest([createCallSpan({ model: "m", input: 12, attributes })]));
    expect(await readCharged()).toMatchObject({ calls: 1, input: 12 });
  });

  it("can't change what another sender is charged", async () => {
    await send(createClaudeLogs());
    const minted = await agent.post("/api/v1/agent_tokens", { agent: { handle: "other" } });
    const other = createTestClient(server.url, minted.body.token);
    expect((await other.post("/v1/logs", createClaudeLogs())).status).toBe(200);
    const usage = await readUsage(server.database, workspaceId, "all");
    const agents = Object.entries(usage).filter(([key]) => key.startsWith("agent "));
    expect(agents.map(([, { calls }]) => calls)).toEqual([2, 2]);
    expect(await readCharged()).toMatchObject({ calls: 4, micros: 1500 });
  });
});

it("is of one session per workspace", async () => {
  const other = await server.createWorkspace();
  await send(createCodexLogs());
  await createTestClient(server.url, other.apiKey).post("/v1/logs", createCodexLogs());
  const rows = await server.database.query<{ id: string }>(
    "SELECT DISTINCT id FROM trace WHERE conversation_id = $1 AND workspace_id = ANY ($2)",
    [CODEX.session, [workspaceId, other.workspaceId]],
  );
  expect(rows).toHaveLength(2);
});
