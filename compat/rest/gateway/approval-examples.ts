const APPROVAL = {
  id: "01a1fd02-1c12-7b10-8c5e-2a9d0c4b7e11",
  status: "pending",
  decision_id: "01a1fd02-1c0f-7a3e-8d2b-5f0c9b1f6f3a",
  agent_id: "01a1fc84-375b-7608-9e5b-f07da6b7bf62",
  subject: null,
  action: "tools/call",
  resource: { type: "tool", id: "stripe.refund" },
  request: {
    action: { name: "tools/call", properties: { arguments: { amount: 900, order: "A-17" } } },
    resource: { type: "tool", id: "stripe.refund", properties: {} },
    context: {},
  },
  hidden_values: 0,
  request_hash: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
  edited_arguments: null,
  policies: ["refunds over 500"],
  role: "operator",
  persons: 1,
  reviews: [],
  comment: null,
  scope: "exact",
  uses: 1,
  used_count: 0,
  can_edit: false,
  expires_at: "2026-11-21T07:44:02.610Z",
  decided_at: null,
  approved_until: null,
  revoked_at: null,
  task_id: null,
  command_id: null,
  mission_id: null,
  trace_id: null,
  generation: 1,
  created_at: "2026-11-21T07:29:02.610Z",
  updated_at: "2026-11-21T07:29:02.610Z",
};

const BY = { type: "user", id: "01a1fc83-bb70-7c01-a6a1-9f1f0e7c2d55", name: "Ada" };

const REVIEW = { by: BY, comment: null, current: true, created_at: "2026-11-21T07:31:10.004Z" };

const DECIDED = { ...APPROVAL, generation: 2, decided_at: REVIEW.created_at, updated_at: REVIEW.created_at };

const APPROVED = {
  ...DECIDED,
  status: "approved",
  approved_until: "2026-11-21T07:36:10.004Z",
  reviews: [{ ...REVIEW, verdict: "approve" }],
};

const COMMENT = "Not without a receipt.";

/** Answers of the routes of approvals. */
export const APPROVAL_EXAMPLES = {
  "GET /gateway/approvals/{id} 200": { approval: APPROVAL },
  "POST /gateway/approvals/{id}/cancel 200": {
    approval: { ...DECIDED, status: "cancelled" },
  },
  "GET /operator/approvals 200": {
    approvals: [APPROVAL],
    count: 1,
    pagination: { limit: 50, offset: 0, total: 1, has_more: false, next_offset: null },
  },
  "GET /operator/approvals/{id} 200": { approval: APPROVAL },
  "POST /operator/approvals/{id}/approve 200": { approval: APPROVED },
  "POST /operator/approvals/{id}/deny 200": {
    approval: {
      ...DECIDED,
      status: "denied",
      comment: COMMENT,
      reviews: [{ ...REVIEW, verdict: "deny", comment: COMMENT }],
    },
  },
  "POST /operator/approvals/{id}/revoke 200": {
    approval: {
      ...APPROVED,
      generation: 3,
      revoked_at: "2026-11-21T07:32:00.120Z",
      comment: "The wrong order.",
    },
  },
};
