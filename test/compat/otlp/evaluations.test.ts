import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLogsRequest, createRecord } from "../../support/agent-logs.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
} from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";

const SPAN = "00f067aa0ba902b7";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;
let runId: string;
let traceId: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
  const created = await agent.post("/api/v1/eval_runs", { suite: "refunds", name: "Nightly" });
  runId = created.body.eval_run.id;
  traceId = newTraceId();
});

type Verdict = { name: string; label?: string; value?: number };

function createEvent({ name, label, value }: Verdict): OtlpMessage {
  return {
    ...{ name: "gen_ai.evaluation.result", timeUnixNano: "1795345643700000000" },
    attributes: [
      textAttribute("gen_ai.evaluation.name", name),
      ...(label === undefined ? [] : [textAttribute("gen_ai.evaluation.score.label", label)]),
      ...(value === undefined
        ? []
        : [{ key: "gen_ai.evaluation.score.value", value: { doubleValue: value } }]),
    ],
  };
}

function item(run: string, key: string): OtlpMessage[] {
  return [textAttribute("aos.eval.run_id", run), textAttribute("aos.eval.item_key", key)];
}

async function evaluate(verdicts: readonly Verdict[], attributes = item(runId, "refund-1"), of = agent) {
  const span = createSpan({ traceId, spanId: SPAN, attributes, events: verdicts.map(createEvent) });
  return of.post("/v1/traces", createRequest([span]));
}

async function readScores(): Promise<object[]> {
  return (await agent.get(`/api/v1/traces/${traceId}/scores`)).body.scores;
}

async function readResults() {
  return (await agent.get(`/api/v1/eval_runs/${runId}/results`)).body.results;
}

async function countEvents(type: string): Promise<number> {
  const sql = "SELECT 1 FROM event WHERE workspace_id = $1 AND type = $2";
  return (await server.database.query(sql, [workspaceId, type])).length;
}

describe("an evaluation in a span", () => {
  it("is a score of the span, and sent again changes nothing", async () => {
    for (const _ of [1, 2])
      expect(await evaluate([{ name: "tone", value: 0.5 }], [])).toMatchObject({ status: 200, text: "{}" });
    expect(await readScores()).toMatchObject([
      { span_id: SPAN, name: "tone", value: 0.5, annotator_kind: "code", generation: 1 },
    ]);
    expect(await countEvents("trace.scored")).toBe(1);
    await evaluate([{ name: "tone", value: 0.7 }], []);
    expect(await readScores()).toMatchObject([{ value: 0.7, generation: 2 }]);
  });

  it("is the result of the item that the span names, which fails if one of its evaluations does", async () => {
    expect(await evaluate([{ name: "right", label: "pass" }])).toMatchObject({ status: 200, text: "{}" });
    expect(await readResults()).toMatchObject([
      { item_key: "refund-1", status: "passed", trace_id: traceId, scores: [{ name: "right", value: 1 }] },
    ]);
    const evaluation = { "event.name": "gen_ai.evaluation.result", "gen_ai.evaluation.name": "polite" };
    const record = createRecord(
      {
        ...evaluation,
        "gen_ai.evaluation.score.label": "Fail",
        "aos.eval.run_id": runId,
        "aos.eval.item_key": "refund-1",
      },
      { traceId, spanId: SPAN },
    );
    expect(await agent.post("/v1/logs", createLogsRequest([record]))).toMatchObject({ text: "{}" });
    expect(await readResults()).toMatchObject([
      {
        ...{ item_key: "refund-1", status: "failed", trace_id: traceId },
        scores: [
          { name: "right", value: 1, label: "pass" },
          { name: "polite", value: 0, label: "Fail" },
        ],
      },
    ]);
    await evaluate([{ name: "polite", label: "pass" }]);
    expect(await readResults()).toMatchObject([{ status: "passed" }]);
  });

  it("keeps what was reported of the item, and its status", async () => {
    const reported = {
      item_key: "refund-1",
      status: "errored",
      input: "Refund me.",
      latency_ms: 70,
      error: "Boom.",
    };
    await agent.post(`/api/v1/eval_runs/${runId}/results`, { results: [reported] });
    await evaluate([{ name: "right", label: "correct", value: 0.9 }]);
    expect(await readResults()).toMatchObject([
      { ...reported, trace_id: traceId, scores: [{ name: "right", value: 0.9, label: "correct" }] },
    ]);
  });

  it("is a score alone, with a warning, if the run doesn't take it", async () => {
    const warnings: [OtlpMessage[], RegExp][] = [
      [item(crypto.randomUUID(), "1"), /^evaluation run .*no such/],
      [item(runId, "no verdict"), /says pass or fail/],
    ];
    for (const [attributes, message] of warnings) {
      const { status, body } = await evaluate([{ name: "tone", value: 1 }], attributes);
      expect({ status, rejected: body.partialSuccess.rejectedSpans }).toEqual({ status: 200, rejected: "0" });
      expect(body.partialSuccess.errorMessage).toMatch(message);
    }
    expect(await readResults()).toEqual([]);
    expect(await readScores()).toHaveLength(1);
  });

  it("needs the scope to be a result", async () => {
    const minted = await agent.post("/api/v1/agent_tokens", {
      agent: { handle: "judge" },
      scopes: ["traces:write"],
    });
    const judge = createTestClient(server.url, minted.body.token);
    const { body } = await evaluate([{ name: "right", label: "pass" }], item(runId, "refund-1"), judge);
    expect(body.partialSuccess.errorMessage).toContain("eval_runs:write");
    expect(await readResults()).toEqual([]);
    expect(await readScores()).toHaveLength(1);
  });

  it("is no result of another workspace's run, whose existence it doesn't tell", async () => {
    const other = createTestClient(server.url, (await server.createWorkspace()).apiKey);
    const { body } = await evaluate([{ name: "right", label: "pass" }], item(runId, "refund-1"), other);
    expect(body.partialSuccess.errorMessage).toContain(`evaluation run ${runId}: `);
    expect(body.partialSuccess.errorMessage).toMatch(/no such/);
    expect(await readResults()).toEqual([]);
  });
});
