const EVAL_RUN = {
  id: "01a1fc84-5cb1-7a40-b1d2-6f0e9c3a7714",
  suite: "support-answers",
  name: "Before the release",
  agent_id: "01a1fc83-bca1-77be-b646-085cf012e0d1",
  agent_version: "5.3.0",
  dataset: { name: "support-answers", version: "2026.2" } as object,
  status: "queued",
  result_counts: { total: 0, passed: 0, failed: 0, errored: 0 },
  score_summaries: [] as object[],
  baseline_run_id: "01a1f825-d8b7-7da9-831d-c418e8ae0f71",
  gate: { min_pass_rate: 0.95, max_regressions: 0 },
  verdict: "none",
  verdict_reasons: [] as string[],
  error: null as object | null,
  is_baseline: false,
  source: { commit: "75a942975c", branch: "main", ci_url: "http://127.0.0.1:8080/builds/1907" },
  cost_usd: null as number | null,
  metadata: {},
  created_by: { type: "agent", id: "01a1fc83-bb84-7424-8a64-b56aec5e29d9", name: "Primary agent" },
  generation: 1,
  created_at: "2026-11-21T05:12:10.161Z",
  updated_at: "2026-11-21T05:12:10.161Z",
  started_at: null as string | null,
  finished_at: null as string | null,
};

const COUNTS = { total: 100, passed: 91, failed: 6, errored: 3 };

/** The run at a later time, with its results. */
function toLaterRun(changes: Partial<typeof EVAL_RUN>): { eval_run: typeof EVAL_RUN } {
  const finished = {
    result_counts: COUNTS,
    score_summaries: [{ name: "exact_match", mean: 0.87, min: 0, max: 1, n: 97 }],
    cost_usd: 0.412,
    generation: 3,
    updated_at: "2026-11-21T05:13:02.871Z",
    started_at: "2026-11-21T05:12:31.004Z",
  };
  return { eval_run: { ...EVAL_RUN, ...finished, ...changes } };
}

const FINISHED = { finished_at: "2026-11-21T05:13:02.871Z" };
const COMPLETED = {
  ...FINISHED,
  status: "completed",
  verdict: "failed",
  verdict_reasons: ["pass_rate 0.91 < 0.95", "2 regressions > 0"],
};

const CHANGE = {
  item_key: "refund-17",
  from: "passed",
  to: "failed",
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  baseline_trace_id: null,
};

/** Real responses about evaluation runs, by `<METHOD> <path> <status>`. */
export const EVAL_EXAMPLES: Record<string, unknown> = {
  "POST /eval_runs 201": { eval_run: EVAL_RUN },
  "GET /eval_runs/{id} 200": toLaterRun({ status: "running" }),
  "POST /eval_runs/{id}/results 200": { accepted: 100, updated: 0, result_counts: COUNTS },
  "GET /eval_runs/{id}/results 200": {
    results: [
      {
        id: "01a1fc84-ae0c-7b54-9a0f-5a2cb41e2a05",
        item_key: "refund-17",
        input: { question: "Where is my refund?" },
        expected: "It is paid back within five days.",
        output: "Please call us.",
        status: "failed",
        scores: [{ name: "exact_match", value: 0, annotator_kind: "CODE" }],
        latency_ms: 812,
        cost_usd: 0.0021,
        trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
        error: null,
        created_at: "2026-11-21T05:12:31.004Z",
      },
    ],
    count: 1,
    pagination: { limit: 1, offset: 0, total: 6, has_more: true, next_offset: 1 },
  },
  "POST /eval_runs/{id}/complete 200": toLaterRun(COMPLETED),
  "POST /eval_runs/{id}/cancel 200": toLaterRun({ ...FINISHED, status: "canceled" }),
  "POST /eval_runs/{id}/fail 200": toLaterRun({
    ...FINISHED,
    status: "failed",
    error: { code: "eval_error", message: "The model can't be reached." },
  }),
  "GET /eval_runs/{id}/comparison 200": {
    comparison: {
      eval_run_id: EVAL_RUN.id,
      baseline_run_id: EVAL_RUN.baseline_run_id,
      counts: { regressions: 2, improvements: 1, added: 0, removed: 0, unchanged: 97 },
      regressions: [CHANGE],
      improvements: [{ ...CHANGE, item_key: "invoice-3", from: "errored", to: "passed" }],
      added: [],
      removed: [],
      score_deltas: [{ name: "exact_match", from: 0.89, to: 0.87, delta: -0.02 }],
    },
  },
  "POST /operator/eval_runs/{id}/promote_baseline 200": toLaterRun({
    ...COMPLETED,
    verdict: "passed",
    verdict_reasons: [],
    is_baseline: true,
    generation: 4,
  }),
};
