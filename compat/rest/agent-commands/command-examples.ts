const COMMAND = {
  id: "01a1fc82-37b6-7579-a2e5-8c912ebbf84c",
  agent_id: "01a1fc83-bcf8-7411-974a-4d058a8cf090",
  seq: 98,
  type: "robot.dock",
  params: {
    station: "charger-4",
  },
  status: "queued",
  priority: "normal",
  not_before: null,
  expires_at: "2026-11-24T05:09:14.806Z",
  ack_timeout_s: 30,
  run_timeout_s: 86400,
  delivery_attempts: 0,
  delivered_at: null,
  acknowledged_at: null,
  started_at: null,
  finished_at: null,
  progress: null,
  status_detail: null,
  result: null,
  error: null,
  late: false,
  issued_by: {
    type: "agent",
    id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
    name: "Fleet Dispatcher",
  },
  batch_id: null,
  task_id: null,
  mission_id: null,
  decision_id: null,
  approval_id: null,
  traceparent: "00-01a1fc8237b67579a2e58c912ebbf84c-c5f7401e4d64cbec-01",
  generation: 1,
  created_at: "2026-11-21T05:09:14.806Z",
  updated_at: "2026-11-21T05:09:14.806Z",
};

const BATCH_ID = "01a1fc82-37b5-7a10-9b1d-5f0c2d7e3a66";

const DELIVERED = {
  ...COMMAND,
  status: "delivered",
  delivery_attempts: 1,
  delivered_at: "2026-11-21T05:09:14.822Z",
  generation: 2,
};

const ACKNOWLEDGED = {
  ...DELIVERED,
  status: "acknowledged",
  acknowledged_at: "2026-11-21T05:09:14.901Z",
  generation: 3,
};

/** Real responses about agent commands, by `<METHOD> <path> <status>`. */
export const COMMAND_EXAMPLES: Record<string, unknown> = {
  "GET /operator/agent_commands 200": { agent_commands: [COMMAND] },
  "POST /operator/agent_commands 202": {
    batch_id: BATCH_ID,
    agent_commands: [{ ...COMMAND, batch_id: BATCH_ID }],
    has_more: false,
  },
  "POST /operator/agent_commands/{id}/cancel 200": {
    agent_command: { ...COMMAND, status: "canceled", generation: 2, finished_at: "2026-11-21T05:11:02.114Z" },
  },
  "GET /agent_commands/{id} 200": { agent_command: COMMAND },
  "GET /agent_commands/next 200": { agent_commands: [DELIVERED] },
  "POST /agent_commands/{id}/ack 200": { agent_command: ACKNOWLEDGED },
  "POST /agent_commands/{id}/progress 200": {
    agent_command: {
      ...ACKNOWLEDGED,
      status: "running",
      progress: 0.4,
      started_at: "2026-11-21T05:09:16.004Z",
    },
  },
  "POST /agent_commands/{id}/result 200": {
    agent_command: {
      ...ACKNOWLEDGED,
      status: "succeeded",
      progress: 1,
      result: { station: "charger-4" },
      finished_at: "2026-11-21T05:10:41.870Z",
    },
  },
};
