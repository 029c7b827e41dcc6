import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { createLogsRequest, createRecord } from "../../support/agent-logs.ts";
import { createRequest, createSpan, newTraceId } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";

const SPAN = "00f067aa0ba902b7";
const EVENT = { "event.name": "gen_ai.evaluation.result", "gen_ai.evaluation.name": "helpful" };

let server: TestServer;
let workspaceId: string;
let agent: TestClient;
let traceId: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const created = await server.createWorkspace();
  workspaceId = created.workspaceId;
  agent = createTestClient(server.url, created.apiKey);
  traceId = newTraceId();
  const spans = createRequest([createSpan({ traceId, spanId: SPAN })]);
  expect((await agent.post("/v1/traces", spans)).status).toBe(200);
});

type Evaluation = Record<string, string | number>;

async function evaluate(evaluations: readonly Evaluation[], spanId = SPAN): Promise<void> {
  const records = evaluations.map((values) => createRecord({ ...EVENT, ...values }, { traceId, spanId }));
  const answer = await agent.post("/v1/logs", createLogsRequest(records));
  expect(answer).toMatchObject({ status: 200, text: "{}" });
}

async function readScores(): Promise<object[]> {
  return server.database.query(
    `SELECT encode(span_id, 'hex') AS span, name, value, label, comment, annotator_kind AS kind, generation
     FROM trace_score WHERE workspace_id = $1 AND trace_id = $2 ORDER BY name, span_id`,
    [workspaceId, toTraceUuid(traceId)],
  );
}

describe("an evaluation in a log", () => {
  it("is a score of the span that it names, and a later one replaces it", async () => {
    await evaluate([{ "gen_ai.evaluation.score.value": 1 }]);
    const labelled = {
      "gen_ai.evaluation.score.value": 4,
      "gen_ai.evaluation.score.label": "good",
      "gen_ai.evaluation.explanation": "Answers what was asked.",
    };
    await evaluate([labelled]);
    const score = { span: SPAN, name: "helpful", value: 4, label: "good", kind: "code", generation: 2 };
    expect(await readScores()).toEqual([{ ...score, comment: "Answers what was asked." }]);
    const events = await server.database.query<{ type: string }>(
      "SELECT type FROM event WHERE workspace_id = $1 AND type = 'trace.scored'",
      [workspaceId],
    );
    expect(events).toHaveLength(2);
    const { body } = await agent.get(`/api/v1/traces/${traceId}`);
    // The evaluations are spans of their own, too.
    expect(body.spans.map(({ name }: { name: string }) => name)).toContain("gen_ai.evaluation.result");
  });

  it("is one of the trace without a span, and may come before the span", async () => {
    await evaluate([{ "gen_ai.evaluation.score.label": "pass" }], "");
    await evaluate([{ "gen_ai.evaluation.score.label": "fail" }], "1".repeat(16));
    expect(await readScores()).toMatchObject([
      { span: "", label: "pass", value: null },
      { span: "1".repeat(16), label: "fail" },
    ]);
  });

  it("gives no score without a name, or without a value and a label", async () => {
    await evaluate([{}, { "gen_ai.evaluation.name": "", "gen_ai.evaluation.score.value": 1 }]);
    await evaluate([{ "gen_ai.evaluation.score.value": "good" }]);
    expect(await readScores()).toEqual([]);
  });

  it("is cut to the limits, without secrets, and without an explanation where content is not captured", async () => {
    const explained = { "gen_ai.evaluation.explanation": `AKIAIOSFODNN7EXAMPLE ${"x".repeat(5000)}` };
    const long = { ...explained, "gen_ai.evaluation.score.label": "y".repeat(500) };
    await evaluate([long]);
    const [score] = (await readScores()) as { label: string; comment: string }[];
    expect(score?.label).toHaveLength(LIMITS.labelLength);
    expect(score?.comment).toHaveLength(LIMITS.textLength);
    expect(score?.comment).not.toContain("AKIA");
    await server.database.query("UPDATE workspace SET capture_content = 'off' WHERE id = $1", [workspaceId]);
    await evaluate([long]);
    expect(await readScores()).toMatchObject([{ comment: null, generation: 2 }]);
  });

  it("is left out once the trace has too many scores, or the request has more than 100", async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({
      "gen_ai.evaluation.name": `score ${at}`,
      "gen_ai.evaluation.score.value": at,
    }));
    await evaluate(many);
    expect(await readScores()).toHaveLength(100);
    await server.database.query(
      `INSERT INTO trace_score (workspace_id, id, trace_id, span_id, name, value, annotator_kind, actor_id, given_by, created_at, updated_at)
       SELECT workspace_id, gen_random_uuid(), trace_id, span_id, 'filler ' || n, 1, 'code', actor_id, given_by, now(), now()
       FROM trace_score, generate_series(1, 399) n WHERE workspace_id = $1 AND name = 'score 0'`,
      [workspaceId],
    );
    await evaluate([
      { "gen_ai.evaluation.name": "last", "gen_ai.evaluation.score.value": 1 },
      { "gen_ai.evaluation.name": "one too many", "gen_ai.evaluation.score.value": 1 },
    ]);
    const names = (await readScores()).map((score) => (score as { name: string }).name);
    expect(names).toHaveLength(LIMITS.scoresOfTrace);
    expect(names).toContain("last");
  });
});
