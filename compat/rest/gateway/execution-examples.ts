const EXECUTION = {
  id: "01a1fe02-7d0a-7f3c-9d51-5d0f2a8c4b11",
  fence: 4711,
  status: "started",
  approval_id: "01a1fe01-9c44-7c0e-8a6d-2b1f5f0e7a90",
  use_number: 1,
  decision_id: "01a1fe02-7d02-7b1a-b0c3-9f4f1c2d3e4f",
  agent_id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
  action: "tools/call",
  resource: { type: "tool", id: "stripe.refund" },
  request_hash: "b5a5d0fd019765592c1398ca457d6c1e36aca66916f7be0b05bd204ee77d1c2a",
  result: null,
  error: null,
  effect: null,
  ended_at: null,
  resolved_by: null,
  resolved_reason: null,
  retry_of: null,
  task_id: "01a1fbf9-ae8d-7b74-900f-2fa6be060969",
  trace_id: null,
  generation: 1,
  created_at: "2026-11-21T11:58:03.402Z",
  updated_at: "2026-11-21T11:58:03.402Z",
};

const STARTED = { ...EXECUTION, lease_expires_at: "2026-11-21T12:00:03.402Z", arguments: null };

const COMPLETED = {
  ...STARTED,
  status: "completed",
  result: { refund: "re_3Q" },
  ended_at: "2026-11-21T11:58:04.118Z",
  generation: 2,
  updated_at: "2026-11-21T11:58:04.118Z",
};

const FAILED = {
  ...COMPLETED,
  status: "failed",
  result: null,
  error: { code: "card_expired", message: "The card has expired." },
  effect: "none",
};

const RESOLVED = {
  ...STARTED,
  status: "retried",
  ended_at: "2026-11-21T12:00:04.001Z",
  resolved_by: { type: "user", id: "01a1fc83-bc45-7628-bc3d-6663a89771e5", name: "Priya Raman" },
  resolved_reason: "The agent was restarted before it reached the bank.",
  generation: 3,
  updated_at: "2026-11-21T12:04:11.530Z",
};

const RETRY = {
  ...STARTED,
  id: "01a1fe08-1b2a-7e90-a1f4-7f6d5c4b3a29",
  fence: 4729,
  use_number: null,
  retry_of: EXECUTION.id,
  created_at: RESOLVED.updated_at,
  updated_at: RESOLVED.updated_at,
  lease_expires_at: "2026-11-21T12:06:11.530Z",
};

const PAGE = {
  executions: [EXECUTION],
  count: 1,
  pagination: { limit: 50, offset: 0, total: 1, has_more: false, next_offset: null },
};

/** Responses of the routes of executions. */
export const EXECUTION_EXAMPLES: Record<string, unknown> = {
  "POST /gateway/executions 201": { execution: STARTED },
  "GET /gateway/executions 200": PAGE,
  "GET /gateway/executions/{id} 200": { execution: COMPLETED },
  "POST /gateway/executions/{id}/heartbeat 200": {
    lease_expires_at: STARTED.lease_expires_at,
    control_state: "active",
  },
  "POST /gateway/executions/{id}/complete 200": { execution: COMPLETED },
  "POST /gateway/executions/{id}/fail 200": { execution: FAILED },
  "GET /operator/executions 200": PAGE,
  "GET /operator/executions/{id} 200": { execution: FAILED },
  "POST /operator/executions/{id}/resolve 200": { execution: RESOLVED, retry: RETRY },
};
