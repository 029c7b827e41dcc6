import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const RUNS = "/api/v1/eval_runs";
const NONE = `${RUNS}/${crypto.randomUUID()}`;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ method: "POST", path: RUNS, scope: "eval_runs:write" }, () => world);
describeGuard({ path: NONE, scope: "eval_runs:read" }, () => world);
for (const act of ["results", "complete", "cancel", "fail"]) {
  describeGuard({ method: "POST", path: `${NONE}/${act}`, scope: "eval_runs:write" }, () => world);
}
for (const part of ["results", "comparison"]) {
  describeGuard({ path: `${NONE}/${part}`, scope: "eval_runs:read" }, () => world);
}
describeGuard(
  { method: "POST", path: `/api/v1/operator/eval_runs/${crypto.randomUUID()}/promote_baseline` },
  () => world,
);

async function createRun(fields: object = {}): Promise<string> {
  const { status, body } = await world.agent.post(RUNS, { suite: "support", name: "Nightly", ...fields });
  expect(status).toBe(201);
  return body.eval_run.id;
}

function results(statuses: Record<string, string>): object {
  return { results: Object.entries(statuses).map(([item_key, status]) => ({ item_key, status })) };
}

async function completeWith(id: string, statuses: Record<string, string>) {
  expect((await world.agent.post(`${RUNS}/${id}/results`, results(statuses))).status).toBe(200);
  return world.agent.post(`${RUNS}/${id}/complete`);
}

describe("POST /api/v1/eval_runs", () => {
  it("creates a run with all given fields", async () => {
    const agentId = await insertTestAgent(world.ctx);
    const given = {
      ...{ suite: "orders", name: "Before the release", agent_id: agentId, agent_version: "1.2" },
      dataset: { name: "orders", version: "3" },
      gate: { min_pass_rate: 0.95, max_regressions: 0, min_scores: { exact_match: 0.8 } },
      source: { commit: "abc", branch: "main", ci_url: "https://ci.example.com/1" },
      metadata: { temperature: 0 },
    };
    const { status, headers, body } = await world.agent.post(RUNS, {
      ...given,
      baseline_run_id: "latest_baseline",
    });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${RUNS}/${body.eval_run.id}`);
    expect(body.eval_run).toMatchObject({
      ...given,
      ...{ baseline_run_id: null, status: "queued", verdict: "none", verdict_reasons: [], error: null },
      result_counts: { total: 0, passed: 0, failed: 0, errored: 0 },
      ...{ score_summaries: [], is_baseline: false, cost_usd: null, generation: 1 },
    });
    expect((await world.agent.get(`${RUNS}/${body.eval_run.id}`)).body).toEqual(body);
    const listed = await world.agent.get("/api/v1/operator/eval_runs?limit=1");
    expect(listed.body.eval_runs).toEqual([body.eval_run]);
  });

  it("creates one run per Idempotency-Key", async () => {
    const send = (name: string) =>
      world.agent.post(RUNS, { suite: "x", name }, { "idempotency-key": "run-1" });
    const [first, again] = [await send("One"), await send("One")];
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expectProblem(await send("Two"), 422, "idempotency_mismatch");
  });

  it("rejects invalid fields by name", async () => {
    const run = { suite: "support", name: "x" };
    expectFields(await world.agent.post(RUNS, {}), "suite", "name");
    expectFields(await world.agent.post(RUNS, { ...run, gate: { min_pass_rate: 2 } }), "gate.min_pass_rate");
    expectFields(
      await world.agent.post(RUNS, { ...run, gate: { max_regressions: 0.5 } }),
      "gate.max_regressions",
    );
    expectFields(await world.agent.post(RUNS, { ...run, baseline_run_id: "newest" }), "baseline_run_id");
    const none = { baseline_run_id: crypto.randomUUID() };
    expectFields(await world.agent.post(RUNS, { ...run, ...none }), "baseline_run_id");
    expectFields(await world.agent.post(RUNS, { ...run, agent_id: crypto.randomUUID() }), "agent_id");
    expectFields(await world.agent.post(RUNS, { ...run, source: { ci_url: "ftp://x" } }), "source.ci_url");
    expectProblem(await world.agent.post(RUNS, "{"), 400, "invalid_body");
  });
});

describe("POST /api/v1/eval_runs/{id}/results", () => {
  it("accepts a batch, and replacements of earlier results", async () => {
    const id = await createRun();
    const first = await world.agent.post(
      `${RUNS}/${id}/results`,
      results({ a: "passed", b: "failed", c: "skipped" }),
    );
    expect(first.body).toEqual({
      ...{ accepted: 3, updated: 0 },
      result_counts: { total: 3, passed: 1, failed: 1, errored: 0 },
    });
    const second = await world.agent.post(`${RUNS}/${id}/results`, results({ b: "passed", d: "errored" }));
    expect(second.body).toEqual({
      ...{ accepted: 2, updated: 1 },
      result_counts: { total: 4, passed: 2, failed: 0, errored: 1 },
    });
  });

  it("rejects invalid results by their index", async () => {
    const path = `${RUNS}/${await createRun()}/results`;
    const one = { item_key: "a", status: "passed" };
    expectFields(await world.agent.post(path, {}), "results");
    expectFields(await world.agent.post(path, { results: [] }), "results");
    expectFields(await world.agent.post(path, { results: [one, { item_key: "b" }] }), "results.1.status");
    expectFields(
      await world.agent.post(path, { results: [one, { ...one, item_key: "b" }, one] }),
      "results.2",
    );
    expectFields(
      await world.agent.post(path, { results: [{ ...one, latency_ms: -1 }] }),
      "results.0.latency_ms",
    );
    expectFields(
      await world.agent.post(path, { results: [{ ...one, trace_id: "x" }] }),
      "results.0.trace_id",
    );
    expectFields(
      await world.agent.post(path, { results: [{ ...one, item_key: "\0" }] }),
      "results.0.item_key",
    );
    const many = Array.from({ length: 501 }, (_, n) => ({ ...one, item_key: `q-${n}` }));
    expectFields(await world.agent.post(path, { results: many }), "results");
    const large = { ...one, output: "x".repeat(1_100_000) };
    expectProblem(await world.agent.post(path, { results: [large] }), 413, "payload_too_large");
    expectProblem(await world.agent.post(`${NONE}/results`, { results: [one] }), 404, "not_found");
    expectProblem(await world.agent.post(`${RUNS}/x/results`, { results: [one] }), 404, "not_found");
  });
});

describe("GET /api/v1/eval_runs/{id}/results", () => {
  it("lists results by key, optionally of one status", async () => {
    const id = await createRun();
    const whole = {
      ...{
        item_key: "q-1",
        status: "failed",
        input: { q: "…" },
        expected: "A",
        output: "B",
        latency_ms: 812,
      },
      ...{ cost_usd: 0.0021, trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", error: "wrong" },
      scores: [
        { name: "exact_match", value: 0, label: "no", explanation: "B is not A", annotator_kind: "LLM" },
        { name: "tone", value: 0.5 },
      ],
    };
    const path = `${RUNS}/${id}/results`;
    await world.agent.post(path, { results: [{ item_key: "q-2", status: "passed" }, whole] });
    const { body } = await world.agent.get(path);
    expect(body).toMatchObject({
      results: [
        whole,
        { item_key: "q-2", input: null, expected: null, output: null, scores: [], error: null },
      ],
      count: 2,
      pagination: { limit: 50, offset: 0, total: 2, has_more: false, next_offset: null },
    });
    const failed = await world.agent.get(`${path}?status=failed&limit=0`);
    expect(failed.body).toMatchObject({ results: [], pagination: { total: 1, has_more: false } });
    const { headers, body: page } = await world.agent.get(`${path}?status=passed&limit=1&offset=0`);
    expect(page.results).toMatchObject([{ item_key: "q-2" }]);
    expect(headers.get("link")).toContain(`${path}?limit=1&offset=0&status=passed>; rel="first"`);
  });

  it("rejects parameters out of range, and an unknown run", async () => {
    const path = `${RUNS}/${await createRun()}/results`;
    expectFields(await world.agent.get(`${path}?limit=101`), "limit");
    expectFields(await world.agent.get(`${path}?offset=100001`), "offset");
    expectFields(await world.agent.get(`${path}?status=maybe`), "status");
    expectProblem(await world.agent.get(`${NONE}/results`), 404, "not_found");
  });
});

describe("the end of a run", () => {
  it("has the verdict of its gate, once", async () => {
    const id = await createRun({ gate: { min_pass_rate: 0.95 } });
    const { status, body } = await completeWith(id, { a: "passed", b: "failed" });
    expect(status).toBe(200);
    expect(body.eval_run).toMatchObject({
      ...{ status: "completed", verdict: "failed", verdict_reasons: ["pass_rate 0.5 < 0.95"] },
    });
    expect((await world.agent.post(`${RUNS}/${id}/complete`)).body).toEqual(body);
    const late = await world.agent.post(`${RUNS}/${id}/results`, results({ b: "passed" }));
    expectProblem(late, 409, "invalid_state");
    expect(late.body).toMatchObject({ current_status: "completed", allowed: ["queued", "running"] });
    expectProblem(await world.agent.post(`${RUNS}/${id}/cancel`), 409, "invalid_state");
  });

  it("can be a cancellation or a failure", async () => {
    const canceled = await world.agent.post(`${RUNS}/${await createRun()}/cancel`, { reason: "Not wanted" });
    expect(canceled.body.eval_run).toMatchObject({ status: "canceled", verdict: "none" });
    const path = `${RUNS}/${await createRun()}/fail`;
    expectFields(await world.agent.post(path, {}), "error");
    const failed = await world.agent.post(path, { error: { message: "No model" } });
    expect(failed.body.eval_run).toMatchObject({
      ...{ status: "failed", verdict: "none", error: { code: "eval_error", message: "No model" } },
    });
    for (const act of ["complete", "cancel"]) {
      expectProblem(await world.agent.post(`${NONE}/${act}`), 404, "not_found");
    }
    expectProblem(await world.agent.post(`${NONE}/fail`, { error: { message: "x" } }), 404, "not_found");
  });
});

describe("POST /api/v1/operator/eval_runs/{id}/promote_baseline", () => {
  it("requires an operator, and later runs are compared with it", async () => {
    const suite = `suite-${crypto.randomUUID()}`;
    const id = await createRun({ suite });
    await completeWith(id, { a: "passed", b: "failed", c: "passed" });
    const path = `/api/v1/operator/eval_runs/${id}/promote_baseline`;
    expectProblem(await world.agent.post(path, {}), 403, "forbidden");
    for (const role of ["viewer", "operator"] as const) {
      const person = await createPerson(world.server, world.workspaceId, { role });
      const cookie = buildCookie(await beginTestSession(world.server, person));
      const client = createTestClient(world.server.url, undefined, { cookie, origin: world.server.url });
      const answer = await client.post(path, {});
      if (role === "viewer") expectProblem(answer, 403, "forbidden");
      else expect(answer.body.eval_run).toMatchObject({ id, is_baseline: true });
    }
    const next = await createRun({ suite, baseline_run_id: "latest_baseline" });
    expect((await completeWith(next, { a: "failed", b: "passed", d: "passed" })).body.eval_run).toMatchObject(
      {
        ...{ baseline_run_id: id, verdict: "none" },
      },
    );
    const { body } = await world.agent.get(`${RUNS}/${next}/comparison?limit=10`);
    expect(body.comparison).toMatchObject({
      ...{ eval_run_id: next, baseline_run_id: id, score_deltas: [] },
      counts: { regressions: 1, improvements: 1, added: 1, removed: 1, unchanged: 0 },
      regressions: [{ item_key: "a", from: "passed", to: "failed", trace_id: null, baseline_trace_id: null }],
      improvements: [{ item_key: "b", from: "failed", to: "passed" }],
      added: [{ item_key: "d", from: null, to: "passed" }],
      removed: [{ item_key: "c", from: "passed", to: null }],
    });
    for (const baseline of [id, "latest_baseline"]) {
      const same = await world.agent.get(`${RUNS}/${next}/comparison?baseline_run_id=${baseline}&limit=10`);
      expect(same.body).toEqual(body);
    }
  });

  it("rejects a run that is not completed", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "admin" });
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const client = createTestClient(world.server.url, undefined, { cookie, origin: world.server.url });
    const path = `/api/v1/operator/eval_runs/${await createRun()}/promote_baseline`;
    expectProblem(await client.post(path, {}), 409, "invalid_state");
  });
});

describe("GET /api/v1/eval_runs/{id}/comparison", () => {
  it("returns an error if there is no baseline", async () => {
    const path = `${RUNS}/${await createRun()}/comparison`;
    const without = await world.agent.get(path);
    expectFields(without, "baseline_run_id");
    const latest = await world.agent.get(`${path}?baseline_run_id=latest_baseline`);
    expectFields(latest, "baseline_run_id");
    expect(latest.body.detail).not.toBe(without.body.detail);
    expectFields(await world.agent.get(`${path}?baseline_run_id=x`), "baseline_run_id");
    expectProblem(await world.agent.get(`${path}?baseline_run_id=${crypto.randomUUID()}`), 404, "not_found");
    expectProblem(await world.agent.get(`${NONE}/comparison`), 404, "not_found");
  });
});
