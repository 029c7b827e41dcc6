import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, CallOutcome, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const RESULT = { status: "PASSED", itemKey: "1" };

/** Calls of all GraphQL fields of evaluation runs with another workspace's ids. */
export function evalCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [id, agentId] = [toGlobalId("EvalRun", ids.evalRun), toGlobalId("Agent", ids.agent)];
  const calls = (outcome: CallOutcome, ...all: Record<string, unknown>[]): FieldCall[] =>
    all.map((args) => ({ args, outcome }));
  const input = (fields: object) => ({ input: fields });
  const run = { suite: "smoke", name: "x" };
  return {
    evalRuns: calls("own", {}, { first: 50, offset: 0 }, { filter: { suite: word, agentId } }),
    evalRun: calls("NOT_FOUND", { id }),
    evalComparison: calls("NOT_FOUND", { runId: id }, { runId: id, baselineId: id }),
    createEvalRun: [
      ...calls("VALIDATION_FAILED", input({ ...run, agentId }), input({ ...run, baselineRunId: id })),
      ...calls("own", input({ ...run, suite: word, baselineRunId: "latest_baseline" })),
    ],
    addEvalResults: calls("NOT_FOUND", input({ runId: id, results: [RESULT] })),
    completeEvalRun: calls("NOT_FOUND", input({ id })),
    cancelEvalRun: calls("NOT_FOUND", input({ id })),
    failEvalRun: calls("NOT_FOUND", input({ id, error: { message: "x" } })),
    promoteEvalBaseline: [{ args: input({ id }), outcome: "NOT_FOUND", forPeople: true }],
  };
}

/** Calls of all routes of evaluation runs with another workspace's ids. */
export function evalRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const runs = "/api/v1/eval_runs";
  const own = `${runs}/${ids.evalRun}`;
  const run = { suite: "smoke", name: "x" };
  const post = (act: string, body: object = {}): RouteCall[] => [
    { path: `${own}/${act}`, body, status: 404 },
  ];
  return {
    "GET /api/v1/operator/eval_runs": [{ path: "/api/v1/operator/eval_runs", status: 200 }],
    "POST /api/v1/eval_runs": [
      { path: runs, body: { ...run, agent_id: ids.agent }, status: 422 },
      { path: runs, body: { ...run, baseline_run_id: ids.evalRun }, status: 422 },
    ],
    "GET /api/v1/eval_runs/:id": [{ path: own, status: 404 }],
    "GET /api/v1/eval_runs/:id/results": [{ path: `${own}/results`, status: 404 }],
    "POST /api/v1/eval_runs/:id/results": post("results", { results: [{ item_key: "1", status: "passed" }] }),
    "POST /api/v1/eval_runs/:id/complete": post("complete"),
    "POST /api/v1/eval_runs/:id/cancel": post("cancel"),
    "POST /api/v1/eval_runs/:id/fail": post("fail", { error: { message: "x" } }),
    "GET /api/v1/eval_runs/:id/comparison": [
      { path: `${own}/comparison?baseline_run_id=${ids.evalRun}`, status: 404 },
    ],
    "POST /api/v1/operator/eval_runs/:id/promote_baseline": [
      { path: `/api/v1/operator/eval_runs/${ids.evalRun}/promote_baseline`, body: {}, status: 403 },
    ],
  };
}
