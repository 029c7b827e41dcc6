import { CLAIMED_TASK } from "./task-examples.ts";

const AGENT = {
  id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
  handle: "billing-bot",
  name: "Billing bot",
  kind: "software",
  version: "2.1.0",
  description: "Refunds orders and answers questions about invoices.",
  capabilities: [
    { type: "custom.refund", params_schema: { type: "object", required: ["order"] } },
    { type: "agent.reload_config" },
  ],
  labels: { team: "billing" },
  control_state: "active",
  stop_state: null,
  presence: "online",
  last_seen_at: "2026-11-21T05:11:20.114Z",
  archived_at: null,
  generation: 4,
  created_at: "2026-10-07T16:55:46.947Z",
  updated_at: "2026-11-20T08:02:11.530Z",
};

/** The task after a later change. */
function toLaterTask(changes: Partial<typeof CLAIMED_TASK>): { task: typeof CLAIMED_TASK } {
  return { task: { ...CLAIMED_TASK, generation: 3, updated_at: "2026-11-21T05:12:02.871Z", ...changes } };
}

const FINISHED = { finished_at: "2026-11-21T05:12:02.871Z" };

const WORKSPACE = {
  id: "01a1fc83-bb61-750b-b30e-979b15c04dbb",
  name: "Northlight Outfitters",
  emergency_stop_at: "2026-11-21T05:14:09.003Z" as string | null,
  emergency_stop_reason: "Smoke in hall A" as string | null,
  generation: 5,
};

const STOP = {
  id: "01a1fc84-99d1-7c2e-b0c5-7b80f2f6a9d4",
  scope: null,
  at: "2026-11-21T05:14:09.003Z",
  by: { type: "user", id: "01a1fc83-bbe3-747d-a2fb-eb8f3e1bfc60", name: "Dana Moreau" },
  reason: "Smoke in hall A",
  agents: { total: 29, confirmed: 28, pending: 0, unreachable: 1 },
  outstanding: [
    {
      id: "01a1fc83-bd00-743b-8223-0b3d4aae80cc",
      name: "Lifter 03",
      kind: "robot",
      state: "unreachable",
      last_seen_at: "2026-11-21T01:02:33.410Z",
    },
  ],
  stages: [],
  released_at: null as string | null,
};

const NOBODY = { total: 0, confirmed: 0, pending: 0, unreachable: 0 };

const PICKERS = { kind: "robot", labels: { hall: "a" } };

/** Real responses about agents and their work, by `<METHOD> <path> <status>`. */
export const WORK_EXAMPLES: Record<string, unknown> = {
  "GET /agents 200": {
    agents: [AGENT],
    count: 1,
    pagination: { limit: 1, offset: 0, total: 24, has_more: true, next_offset: 1 },
  },
  "GET /agents/{id} 200": { agent: AGENT },
  "PUT /agents/self 200": { agent: AGENT },
  "POST /agents/self/heartbeat 200": {
    control_state: "active",
    emergency_stop: false,
    pending_commands: 1,
    server_time: "2026-11-21T05:11:20.114Z",
  },
  "POST /tasks/claim 200": {
    task: CLAIMED_TASK,
    lease: {
      token: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      expires_at: "2026-11-21T05:12:31.204Z",
      attempt: 1,
      traceparent: "00-01a1fc8437fd73aca77eaf2416d62901-c5f7401e4d64cbec-01",
    },
  },
  "POST /tasks/{id}/heartbeat 200": {
    lease_expires_at: "2026-11-21T05:12:51.660Z",
    cancel_requested: false,
    control_state: "active",
  },
  "POST /tasks/{id}/complete 200": toLaterTask({
    ...FINISHED,
    status: "completed",
    progress: 1,
    output: { refunded: "19.90" },
    artifacts: [{ artifact_id: "receipt", name: "Receipt", parts: [{ text: "Paid back to the card." }] }],
  }),
  "POST /tasks/{id}/fail 200": toLaterTask({
    status: "submitted",
    claimed_by_agent_id: null,
    error: { code: "agent_error", message: "The bank did not answer.", retryable: true },
    run_after: "2026-11-21T05:12:04.871Z",
  }),
  "POST /tasks/{id}/reject 200": toLaterTask({ ...FINISHED, status: "rejected" }),
  "POST /tasks/{id}/release 200": toLaterTask({ status: "submitted", claimed_by_agent_id: null }),
  "POST /tasks/{id}/cancel 200": toLaterTask({ cancel_requested_at: "2026-11-21T05:12:02.871Z" }),
  "POST /tasks/{id}/cancel_ack 200": toLaterTask({
    ...FINISHED,
    status: "canceled",
    cancel_requested_at: "2026-11-21T05:11:58.310Z",
  }),
  "POST /operator/agents/{id}/control 200": { agent: { ...AGENT, control_state: "paused", generation: 5 } },
  "PUT /operator/agents/{id}/labels 200": { agent: { ...AGENT, generation: 5 } },
  "GET /operator/emergency_stop 200": { stop: STOP },
  "POST /operator/emergency_stop 200": {
    workspace: WORKSPACE,
    stop: { ...STOP, agents: { total: 29, confirmed: 0, pending: 28, unreachable: 1 } },
  },
  "GET /operator/stops 200": { stops: [{ ...STOP, scope: PICKERS }] },
  "POST /operator/stops/{id}/resume 200": {
    stop: {
      ...STOP,
      agents: { total: 26, confirmed: 25, pending: 0, unreachable: 1 },
      stages: [
        {
          id: "01a1fc91-0b1e-7f5a-8c6f-2f6b8f0a7c11",
          at: "2026-11-21T05:27:40.118Z",
          by: STOP.by,
          reason: "Hall A is clear.",
          count: 3,
          labels: null,
          percent: 10,
        },
      ],
    },
  },
  "POST /operator/stops/{id}/release 200": {
    stop: { ...STOP, agents: NOBODY, outstanding: [], released_at: "2026-11-21T05:41:02.730Z" },
  },
  "POST /operator/emergency_stop/release 200": {
    workspace: { ...WORKSPACE, emergency_stop_at: null, emergency_stop_reason: null, generation: 6 },
  },
};
