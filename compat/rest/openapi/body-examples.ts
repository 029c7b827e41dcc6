const AGENT = "01a1fc83-bcca-745f-b653-11a99ac2106f";
const CONTEXT = "01a1fbf9-ae8d-798a-9769-c2bb9fcb72fb";
const TASK = "01a1fbf9-ae8d-7b74-900f-2fa6be060969";
const LEASE = { lease_token: "x7Qm2Vt0bJxH5yR8kPz3nC6w" };
const TOKEN = { token: "agt_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" };

const HASH = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

/** An example body of each route, by method and path, for the API description. */
export const BODY_EXAMPLES: Record<string, unknown> = {
  "POST /agent_tokens": {
    agent: { handle: "billing-bot", name: "Billing bot", kind: "software" },
    scopes: ["tasks:read", "tasks:work"],
    name: "billing-bot on node 3",
  },
  "POST /socket_tokens": { scopes: ["events:read"] },
  "POST /tokens/introspect": TOKEN,
  "POST /tokens/revoke": TOKEN,
  "POST /gateway/check": {
    request: {
      action: { name: "tools/call", properties: { arguments: { amount: 900, order: "A-17" } } },
      resource: { type: "tool", id: "stripe.refund" },
      context: { task_id: TASK },
    },
    options: { auto_request: true, wait: 20, accept_edits: false },
  },
  "POST /gateway/executions": {
    approval_id: "01a1fe01-9c44-7c0e-8a6d-2b1f5f0e7a90",
    request: {
      action: { name: "tools/call", properties: { arguments: { amount: 900, order: "A-17" } } },
      resource: { type: "tool", id: "stripe.refund" },
    },
    lease_s: 120,
  },
  "POST /gateway/executions/{id}/heartbeat": { fence: 4711 },
  "POST /gateway/executions/{id}/complete": { fence: 4711, result: { refund: "re_3Q" } },
  "POST /gateway/executions/{id}/fail": {
    fence: 4711,
    error: { code: "card_expired", message: "The card has expired." },
    effect: "none",
  },
  "POST /operator/executions/{id}/resolve": {
    outcome: "retried",
    reason: "The agent was restarted before it reached the bank.",
  },
  "POST /gateway/approvals/{id}/cancel": {},
  "POST /operator/approvals/{id}/approve": {
    comment: "Fine.",
    request_hash: HASH,
    arguments: { amount: 450 },
  },
  "POST /operator/approvals/{id}/deny": { comment: "Not without a receipt.", request_hash: HASH },
  "POST /operator/approvals/{id}/revoke": { reason: "The wrong order." },
  "PUT /gateway/entities/{type}/{id}": { properties: { roles: ["editor"], country: "PT" } },
  "POST /budget_reservations": {
    amounts: { usd: "0.42", tokens: 12_000 },
    expires_in_s: 600,
    decision_id: "01a1fc84-37fd-7da2-8c5b-1f2a7c0e9b12",
  },
  "POST /budget_reservations/{id}/release": {},
  "POST /budget_reservations/{id}/settle": { amounts: { usd: "0.31", tokens: 9800 } },
  "PUT /agents/self": {
    version: "2.4.0",
    capabilities: [{ type: "custom.refund", params_schema: { type: "object", required: ["order"] } }],
  },
  "POST /agents/self/heartbeat": {},
  "POST /operator/agents/{id}/control": { control_state: "paused", reason: "It refunds orders twice." },
  "PUT /operator/agents/{id}/labels": { labels: { team: "billing" } },
  "POST /operator/emergency_stop": {
    reason: "Somebody is in the aisle.",
    scope: { kind: "robot", labels: { hall: "a" } },
  },
  "POST /operator/stops/{id}/resume": { agents: { percent: 10 }, reason: "The first ones, to see." },
  "POST /operator/stops/{id}/release": { reason: "The aisle is clear." },
  "POST /operator/emergency_stop/release": { reason: "The aisle is clear." },
  "POST /messages": {
    kind: "question",
    task_id: TASK,
    parts: [{ text: "Which of the two orders?" }, { data: { orders: [42, 43] } }],
    ...LEASE,
    input_timeout_s: 3600,
  },
  "POST /tasks": {
    title: "Refund order 42",
    queue: "billing",
    input: [{ text: "The parcel came back." }, { data: { order: 42 } }],
    priority: 7,
    max_attempts: 3,
    deadline_at: "2026-11-22T10:00:00Z",
    labels: { team: "billing" },
  },
  "POST /tasks/{id}/cancel": { reason: "The customer has changed their mind." },
  "POST /tasks/claim": { queues: ["billing"], lease_s: 60, wait: 25 },
  "POST /tasks/{id}/heartbeat": { ...LEASE, progress: 0.5, status_message: "Found the order." },
  "POST /tasks/{id}/complete": {
    ...LEASE,
    output: { refunded: "19.90" },
    artifacts: [{ artifact_id: "receipt", name: "Receipt", parts: [{ text: "19.90 EUR were refunded." }] }],
  },
  "POST /tasks/{id}/fail": {
    ...LEASE,
    error: { code: "bank_down", message: "The bank does not answer.", retryable: true },
  },
  "POST /traces/{trace_id}/scores": {
    ...{ name: "correctness", value: 0.9, label: "good", comment: "It refunded the right order." },
    ...{ annotator_kind: "llm", span_id: "00f067aa0ba902b7" },
  },
  "POST /tasks/{id}/reject": { ...LEASE, reason: "The order is not ours." },
  "POST /tasks/{id}/release": LEASE,
  "POST /tasks/{id}/cancel_ack": LEASE,
  "POST /eval_runs": {
    suite: "support-answers",
    name: "4f2a9c1",
    baseline_run_id: "latest_baseline",
    gate: { min_pass_rate: 0.95, max_regressions: 0, min_scores: { exact_match: 0.8 } },
    source: { commit: "4f2a9c1", branch: "main", ci_url: "https://ci.example.com/runs/17" },
  },
  "POST /eval_runs/{id}/results": {
    results: [
      { item_key: "refund-17", status: "passed", scores: [{ name: "exact_match", value: 1 }] },
      { item_key: "refund-18", status: "failed", output: "Please call us.", latency_ms: 812 },
    ],
  },
  "POST /eval_runs/{id}/complete": {},
  "POST /operator/eval_runs/{id}/promote_baseline": {},
  "POST /eval_runs/{id}/cancel": { reason: "The build was superseded." },
  "POST /eval_runs/{id}/fail": { error: { code: "no_model", message: "The model can't be reached." } },
  "POST /operator/agent_commands": {
    agent_id: AGENT,
    type: "custom.refund",
    params: { order: 42 },
    expires_in_s: 600,
  },
  "POST /operator/agent_commands/{id}/cancel": { reason: "Done by hand." },
  "POST /agent_commands/{id}/ack": { outcome: "deferred", reason: "Charging.", retry_after_s: 120 },
  "POST /agent_commands/{id}/progress": { progress: 0.5, detail: "Found the order." },
  "POST /agent_commands/{id}/result": { status: "succeeded", result: { refunded: "19.90" } },
  "PUT /robots/self/state": {
    state_seq: 1042,
    operating_mode: "automatic",
    battery_percent: 71.5,
    driving: true,
    position: { x: 3.2, y: -1.1, theta: 1.57, map_id: "floor-1", localized: true },
    errors: [{ type: "LOW_BATTERY", level: "urgent", hint: "Return to dock" }],
  },
  "POST /robots/self/vda5050/state": {
    headerId: 1042,
    timestamp: "2026-11-21T09:14:03.218Z",
    version: "3.0.0",
    manufacturer: "Carrow Robotics",
    serialNumber: "CR-H250-0117",
    orderId: "",
    orderUpdateId: 0,
    lastNodeId: "",
    lastNodeSequenceId: 0,
    nodeStates: [],
    edgeStates: [],
    actionStates: [],
    instantActionStates: [],
    driving: false,
    operatingMode: "AUTOMATIC",
    powerSupply: { stateOfCharge: 78.5, charging: true },
    errors: [],
    safetyState: { activeEmergencyStop: "NONE", fieldViolation: false },
  },
  "POST /operator/missions": {
    title: "Bring the pallet",
    kind: "transport",
    selector: { fleet: "north", labels: { site: "hall-a" } },
    steps: [
      { key: "fetch", type: "move", params: { to: "dock-1" } },
      { key: "lift", type: "action", params: { name: "pick" } },
      { key: "bring", type: "move", params: { to: "aisle-7" } },
    ],
    min_battery: 30,
    context_id: CONTEXT,
  },
  "POST /operator/missions/{id}/pause": { reason: "The gate is shut." },
  "POST /operator/missions/{id}/resume": { reason: "The gate is open." },
  "POST /operator/missions/{id}/cancel": { reason: "The pallet is gone.", force: false },
  "POST /operator/missions/{id}/retry_step": { step_key: "lift" },
  "POST /operator/missions/{id}/skip_step": { step_key: "lift", reason: "Lifted by hand." },
  "POST /missions/{id}/progress": {
    steps: [
      { key: "fetch", status: "finished", result: { metres: 41.5 } },
      { key: "lift", status: "running" },
    ],
  },
};
