const BUDGET = {
  id: "01a1fc84-37c1-7a51-b1f0-0f6d3a1c9e44",
  name: "Refund agents",
  unit: "usd",
  limit: "100",
  used: "12.5",
  reserved: "0.42",
};

const HELD = {
  id: "01a1fc84-37fd-7f10-9d3b-5a7c2e9f1b60",
  agent_id: "01a1fc83-bcca-745f-b653-11a99ac2106f",
  status: "held",
  assumed: false,
  amounts: null,
  budgets: [{ ...BUDGET, window_ends_at: "2026-11-22T00:00:00.000Z" }],
  decision_id: "01a1fc84-37fd-7da2-8c5b-1f2a7c0e9b12",
  expires_at: "2026-11-21T05:21:25.953Z",
  ended_at: null,
  created_at: "2026-11-21T05:11:25.953Z",
};

const SETTLED = {
  ...HELD,
  status: "settled",
  amounts: { usd: "0.31", tokens: 9800 },
  budgets: [{ ...BUDGET, used: "12.81", reserved: "0", window_ends_at: "2026-11-22T00:00:00.000Z" }],
  ended_at: "2026-11-21T05:12:02.118Z",
};

const ADMIN = { type: "user", id: "01a1fc83-bc08-70c7-9119-0138a804871c", name: "Maya Lindqvist" };

/** Examples of answers, by route and status. */
export const BUDGET_EXAMPLES: Record<string, unknown> = {
  "POST /budget_reservations 201": { reservation: HELD, asks: false },
  "GET /budget_reservations/{id} 200": { reservation: HELD },
  "POST /budget_reservations/{id}/settle 200": { reservation: SETTLED },
  "POST /budget_reservations/{id}/release 200": {
    reservation: {
      ...HELD,
      status: "released",
      budgets: [{ ...BUDGET, reserved: "0", window_ends_at: "2026-11-22T00:00:00.000Z" }],
      ended_at: "2026-11-21T05:12:02.118Z",
    },
  },
  "GET /operator/budgets 200": {
    budgets: [
      {
        id: BUDGET.id,
        name: BUDGET.name,
        description: null,
        scope: { type: "label", agent_id: null, label: "team", value: "refunds" },
        unit: "usd",
        limit: "100",
        period: "day",
        time_zone: "Europe/Berlin",
        thresholds: [{ percent: 80, action: "warn" }],
        default_estimate: "0.5",
        on_expiry: "charge",
        enabled: true,
        windows: [
          {
            subject: "",
            limit: "100",
            used: "12.5",
            reserved: "0.42",
            starts_at: "2026-11-20T23:00:00.000Z",
            ends_at: "2026-11-21T23:00:00.000Z",
          },
        ],
        created_by: ADMIN,
        updated_by: ADMIN,
        generation: 1,
        created_at: "2026-11-20T09:11:25.953Z",
        updated_at: "2026-11-20T09:11:25.953Z",
      },
    ],
    pagination: { limit: 50, offset: 0, total: 1, has_more: false, next_offset: null },
  },
};
