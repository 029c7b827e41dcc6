/** A mission that was just assigned to its robot. */
const MISSION = {
  id: "01a1fdcc-9555-7406-84f9-fad2c5beddf9",
  title: "Bring the pallet",
  kind: "transport",
  robot_id: "01a1fdcc-9164-7104-972d-647448166c77",
  selector: null,
  min_battery: null,
  priority: 5,
  status: "assigned",
  progress: 0,
  estimated_duration_s: null,
  deadline_at: null,
  cancel_requested_at: null,
  error: null,
  task_id: null,
  context_id: "01a1fdcc-95d8-76fe-9cca-448eed861105",
  decision_id: null,
  approval_id: null,
  trace_id: null,
  created_by: {
    type: "agent",
    id: "01a1fdcc-8c16-7701-895c-84e3f792bd00",
    name: "Primary agent",
  },
  generation: 2,
  created_at: "2026-11-21T11:10:05.792Z",
  updated_at: "2026-11-21T11:10:05.792Z",
  started_at: null,
  finished_at: null,
  requested_robot_id: "01a1fdcc-9164-7104-972d-647448166c77",
  allowed_robot_ids: [],
  dispatch_attempts: 0,
  assigned_at: "2026-11-21T11:10:05.792Z",
  start_command_id: "01a1fdcc-9682-723a-900a-67b1ce3fd345",
  steps: [
    {
      key: "drive-to-start",
      type: "move",
      params: {
        station: "receiving-1",
      },
      status: "waiting",
      result: null,
      error: null,
      started_at: null,
      finished_at: null,
    },
    {
      key: "lift-pallet",
      type: "action",
      params: {
        action: "lift_pallet",
      },
      status: "waiting",
      result: null,
      error: null,
      started_at: null,
      finished_at: null,
    },
    {
      key: "drive-to-end",
      type: "move",
      params: {
        station: "staging-a",
      },
      status: "waiting",
      result: null,
      error: null,
      started_at: null,
      finished_at: null,
    },
  ],
};

const [FIRST, ...OTHERS] = MISSION.steps;

const RUNNING = {
  ...MISSION,
  status: "running",
  generation: 3,
  updated_at: "2026-11-21T11:10:12.204Z",
  started_at: "2026-11-21T11:10:12.204Z",
  steps: [{ ...FIRST, status: "running", started_at: "2026-11-21T11:10:12.204Z" }, ...OTHERS],
};

const COMMAND = {
  id: "01a1fdcc-9a6f-76e0-acae-b47481f706b4",
  agent_id: "01a1fdcc-9164-7104-972d-647448166c77",
  seq: 4,
  type: "mission.pause",
  params: {
    mission_id: "01a1fdcc-9555-7406-84f9-fad2c5beddf9",
  },
  status: "queued",
  priority: "urgent",
  not_before: null,
  expires_at: "2026-11-21T12:10:06.946Z",
  ack_timeout_s: 30,
  run_timeout_s: 600,
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
    id: "01a1fdcc-8c16-7701-895c-84e3f792bd00",
    name: "Primary agent",
  },
  batch_id: null,
  decision_id: null,
  approval_id: null,
  task_id: null,
  mission_id: "01a1fdcc-9555-7406-84f9-fad2c5beddf9",
  traceparent: "00-01a1fdcc9ed57406a4f9fad2c5beddf9-24dbe58f91d636b5-01",
  generation: 1,
  created_at: "2026-11-21T11:10:06.946Z",
  updated_at: "2026-11-21T11:10:06.946Z",
};

function buildSteered(mission: object, type: string, params: object = {}) {
  return {
    mission: { ...RUNNING, generation: 4, updated_at: COMMAND.created_at, ...mission },
    agent_command: { ...COMMAND, type, params: { ...params, mission_id: MISSION.id } },
  };
}

/** Real responses about missions, by `<METHOD> <path> <status>`. */
export const MISSION_EXAMPLES: Record<string, unknown> = {
  "POST /operator/missions 201": { mission: MISSION },
  "GET /missions/{id} 200": { mission: RUNNING },
  "POST /missions/{id}/progress 200": { mission: RUNNING },
  "POST /operator/missions/{id}/pause 202": buildSteered({ status: "paused" }, "mission.pause"),
  "POST /operator/missions/{id}/resume 202": buildSteered({}, "mission.resume"),
  "POST /operator/missions/{id}/cancel 202": buildSteered(
    { cancel_requested_at: COMMAND.created_at },
    "mission.cancel",
  ),
  "POST /operator/missions/{id}/retry_step 202": buildSteered(
    { steps: MISSION.steps },
    "mission.retry_step",
    {
      step_key: "drive-to-start",
    },
  ),
  "POST /operator/missions/{id}/skip_step 202": buildSteered(
    {
      progress: 1 / 3,
      steps: [{ ...FIRST, status: "skipped", finished_at: COMMAND.created_at }, ...OTHERS],
    },
    "mission.skip_step",
    { step_key: "drive-to-start" },
  ),
};
