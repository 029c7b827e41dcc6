import { BUDGET_EXAMPLES } from "../gateway/budget-examples.ts";
import { COMMAND_EXAMPLES } from "../agent-commands/command-examples.ts";
import { EVAL_EXAMPLES } from "../eval-runs/eval-examples.ts";
import { EXECUTION_EXAMPLES } from "../gateway/execution-examples.ts";
import { APPROVAL_EXAMPLES } from "../gateway/approval-examples.ts";
import { MISSION_EXAMPLES } from "../missions/mission-examples.ts";
import { OPERATOR_EXAMPLES } from "../operators/operator-examples.ts";
import { ROBOT_EXAMPLES } from "../robots/robot-examples.ts";
import { NEW_TASK, createTaskExample } from "../tasks/task-examples.ts";
import { WORK_EXAMPLES } from "../tasks/work-examples.ts";

const MESSAGE = {
  id: "01a1fc74-d013-7f55-ab86-8c10fd8552ad",
  context_id: "01a1fc74-cc44-76de-8113-df151a6a119c",
  task_id: "01a1fc74-cc44-760f-bed0-ea2246c6e6ed",
  mission_id: null,
  role: "user",
  sender: {
    type: "user",
    id: "01a1fc83-bc08-70c7-9119-0138a804871c",
    name: "Maya Lindqvist",
  },
  recipient_agent_id: "01a1fc83-bcb4-7259-94a6-b42ed65c2ba5",
  kind: "text",
  parts: [
    {
      text: "Please have a look before noon if you can.",
    },
  ],
  reply_to_id: null,
  expects_reply: false,
  answered_by_id: null,
  reference_task_ids: [],
  metadata: {},
  trace_id: null,
  created_at: "2026-11-21T04:54:36.307Z",
};

const SENT = {
  id: "01a1fc84-37dc-74f2-909a-1aab8cd066d4",
  context_id: "01a1fc84-37de-706d-94c5-216a25e8df54",
  task_id: null,
  mission_id: null,
  role: "agent",
  sender: {
    type: "agent",
    id: "01a1fc83-bb84-7424-8a64-b56aec5e29d9",
    name: "Primary agent",
  },
  recipient_agent_id: null,
  kind: "question",
  parts: [
    {
      text: "Which account should the refund go to?",
    },
  ],
  reply_to_id: null,
  expects_reply: true,
  answered_by_id: null,
  reference_task_ids: [],
  metadata: {},
  trace_id: null,
  created_at: "2026-11-21T05:11:25.919Z",
};

const TASK = createTaskExample({
  id: "01a1fbf9-ae8d-7b74-900f-2fa6be060969",
  context_id: "01a1fbf9-ae8d-798a-9769-c2bb9fcb72fb",
  title: "Put tote T-42502 away in aisle C02",
  queue: "fleet",
  input: [
    {
      text: "Wanted at receiving dock 1 before the DPD truck leaves.",
    },
  ],
  status: "completed",
  status_message: "Tote T-40166 stood one shelf too low. Corrected in the stock system.",
  progress: 1,
  output: {
    summary: "Tote T-40166 stood one shelf too low. Corrected in the stock system.",
  },
  artifacts: [
    {
      name: "Report",
      parts: [
        {
          text: "# fleet\n\nTote T-40166 stood one shelf too low. Corrected in the stock system.\n",
          media_type: "text/markdown",
        },
      ],
      artifact_id: "report",
    },
  ],
  claimed_by_agent_id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
  attempt: 2,
  mission_id: "01a1fbf1-e8ae-7acb-a019-1d55b4ee529c",
  labels: {
    site: "hall-a",
    team: "operations",
  },
  created_by: {
    type: "user",
    id: "01a1fc83-bc45-7628-bc3d-6663a89771e5",
    name: "Priya Raman",
  },
  generation: 5,
  created_at: "2026-11-21T02:40:06.797Z",
  updated_at: "2026-11-21T02:44:43.270Z",
  finished_at: "2026-11-21T02:44:43.270Z",
});

const ENTITY = {
  type: "user",
  id: "ada",
  properties: { roles: ["editor"], country: "PT" },
  generation: 1,
  created_at: "2026-11-21T05:11:25.782Z",
  updated_at: "2026-11-21T05:11:25.782Z",
};

/** A real response of each route, by method, path and status, for the API description. */
export const EXAMPLES: Record<string, unknown> = {
  ...WORK_EXAMPLES,
  ...COMMAND_EXAMPLES,
  ...EVAL_EXAMPLES,
  ...EXECUTION_EXAMPLES,
  ...MISSION_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  ...ROBOT_EXAMPLES,
  ...APPROVAL_EXAMPLES,
  "POST /agent_tokens 201": {
    id: "01a1fc84-375f-764f-803c-d4348f02e520",
    token: "agt_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    access_token: "agt_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    token_type: "Bearer",
    expires_in: 2592000,
    expires_at: "2026-12-21T05:11:25.782Z",
    agent_id: "01a1fc84-375b-7608-9e5b-f07da6b7bf62",
    scopes: ["tasks:read", "tasks:work"],
    scope: "tasks:read tasks:work",
    name: "billing-bot on node 3",
  },
  "POST /socket_tokens 201": {
    id: "01a1fc84-3782-7025-aa3d-0dad08464857",
    token: "ags_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    socket_token: "ags_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    token_type: "Socket",
    expires_in: 600,
    expires_at: "2026-11-21T05:21:25.824Z",
    scopes: ["agent_commands:read"],
    url: "ws://127.0.0.1:4666/graphql",
    protocol: "graphql-transport-ws",
  },
  "POST /tokens/introspect 200": {
    active: true,
    scope: "tasks:read tasks:work",
    token_type: "agent_token",
    exp: 1797829885,
    iat: 1795237885,
    sub: "01a1fc84-375b-7608-9e5b-f07da6b7bf62",
    jti: "01a1fc84-375f-764f-803c-d4348f02e520",
    workspace_id: "01a1fc83-bb61-750b-b30e-979b15c04dbb",
  },
  "POST /tokens/revoke 200": {},
  "POST /gateway/check 200": {
    check: {
      id: "01a1fd02-1c0f-7a3e-8d2b-5f0c9b1f6f3a",
      status: "pending",
      reason: "approval_required",
      policies: null,
      decided_at: "2026-11-21T07:29:02.607Z",
      approval: {
        id: "01a1fd02-1c12-7b10-8c5e-2a9d0c4b7e11",
        status: "pending",
        expires_at: "2026-11-21T07:44:02.610Z",
        approved_until: null,
        comment: null,
      },
    },
  },
  ...BUDGET_EXAMPLES,
  "GET /gateway/entities 200": {
    entities: [ENTITY],
    count: 1,
    pagination: { limit: 50, offset: 0, total: 1, has_more: false, next_offset: null },
  },
  "GET /gateway/entities/{type}/{id} 200": { entity: ENTITY },
  "PUT /gateway/entities/{type}/{id} 200": { entity: ENTITY },
  "GET /agent_tokens 200": {
    agent_tokens: [
      {
        id: "01a1fc84-375f-764f-803c-d4348f02e520",
        agent_id: "01a1fc84-375b-7608-9e5b-f07da6b7bf62",
        api_key_id: "01a1fc83-bb92-72d2-aece-4167ea7f961a",
        name: "billing-bot on node 3",
        scopes: ["tasks:read", "tasks:work"],
        created_at: "2026-11-21T05:11:25.782Z",
        expires_at: "2026-12-21T05:11:25.782Z",
        revoked_at: null,
        last_used_at: null,
      },
    ],
    count: 1,
  },
  "GET /whoami 200": {
    actor: {
      type: "agent",
      id: "01a1fc84-375b-7608-9e5b-f07da6b7bf62",
      name: "billing-bot",
    },
    workspace: {
      id: "01a1fc83-bb61-750b-b30e-979b15c04dbb",
      name: "Northlight Outfitters",
    },
    credential: {
      id: "01a1fc84-375f-764f-803c-d4348f02e520",
      kind: "agent_token",
      expires_at: "2026-12-21T05:11:25.782Z",
    },
    scopes: ["tasks:read", "tasks:work"],
  },
  "GET /messages 200": {
    messages: [MESSAGE],
    count: 1,
  },
  "POST /messages 200": { message: SENT },
  "POST /messages 201": { message: SENT },
  "GET /tasks 200": {
    tasks: [TASK],
    count: 1,
    pagination: {
      limit: 1,
      offset: 20,
      total: 3000,
      has_more: true,
      next_offset: 21,
    },
  },
  "POST /tasks 201": { task: NEW_TASK },
  "GET /events 200": {
    events: [
      {
        cursor: "djEuNWQ2YzFmM2UtM2E0Zi00ZjBjLTlhN2QtMGMyYjFlNGY2YTExLjQxMg",
        seq: 412,
        id: "01a1fc84-37fd-7da2-8c5b-1f2a7c0e9b11",
        type: "task.created",
        subject_type: "task",
        subject_id: "01a1fc84-37fd-73ac-a77e-af2416d62901",
        agent_id: null,
        actor: { type: "agent", id: "01a1fc83-bb84-7424-8a64-b56aec5e29d9", name: "Primary agent" },
        data: { generation: 1, status: "submitted", queue: "billing" },
        traceparent: null,
        occurred_at: "2026-11-21T05:11:25.953Z",
      },
    ],
    next_after: "djEuNWQ2YzFmM2UtM2E0Zi00ZjBjLTlhN2QtMGMyYjFlNGY2YTExLjQxMg",
  },
  "GET /messages/{id} 200": { message: MESSAGE },
  "GET /tasks/{id} 200": { task: TASK },
};
