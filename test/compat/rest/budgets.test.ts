import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { updateBudget } from "../../../src/domain/budgets/update-budget.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { CALLS, DOLLARS } from "../../support/budget-scene.ts";
import { type GatewayScene, createGatewayScene } from "../../support/gateway-scene.ts";
import { expectProblem } from "../../support/problem.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/budget_reservations";

let world: TestWorld;
let scene: GatewayScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createGatewayScene(world);
});

async function reserve(body: object = {}, headers: Record<string, string> = {}) {
  return scene.agent.post(PATH, body, headers);
}

describe("POST /api/v1/budget_reservations", () => {
  it("reserves of the agent's budgets", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const { status, body, headers } = await reserve({ amounts: { usd: "0.42", tokens: 12_000 } });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        asks: false,
        reservation: {
          ...{ agent_id: scene.agentId, status: "held", assumed: false, amounts: null, ended_at: null },
          budgets: [{ id, name: "dollars", unit: "usd", limit: "10", used: "0", reserved: "0.42" }],
        },
      },
    });
    const { created_at: from, expires_at: to } = body.reservation;
    expect(Date.parse(to) - Date.parse(from)).toBe(600_000);
    expect(headers.get("location")).toBe(`${PATH}/${body.reservation.id}`);
    const read = await scene.agent.get(`${PATH}/${body.reservation.id}`);
    expect(read.body).toEqual({ reservation: body.reservation });
  });

  it("says which budget has no room, and when to try again", async () => {
    const { id } = await createBudget(scene.ctx, { ...DOLLARS, period: "minute" });
    await reserve({ amounts: { usd: "9" } });
    const { status, body, headers } = await reserve({ amounts: { usd: "2" } });
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        code: "budget_exceeded",
        budget: { id, name: "dollars", unit: "usd", limit: "10", used: "0", reserved: "9" },
        retry_after_s: expect.any(Number),
      },
    });
    expect(body.retry_after_s).toBeGreaterThan(0);
    expect(body.retry_after_s).toBeLessThanOrEqual(60);
    expect(headers.get("retry-after")).toBe(`${body.retry_after_s}`);
    const tooMuch = await reserve({ amounts: { usd: "11" } });
    expect(tooMuch.body).toMatchObject({ code: "budget_exceeded", retry_after_s: null });
    expect(tooMuch.headers.get("retry-after")).toBeNull();
  });

  it("makes one reservation for an Idempotency-Key", async () => {
    await createBudget(scene.ctx, CALLS);
    const key = { "idempotency-key": "k-1" };
    const first = await reserve({}, key);
    const again = await reserve({}, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.reservation.id).toBe(first.body.reservation.id);
    expect(again.body.reservation.budgets).toMatchObject([{ used: "1" }]);
    expectProblem(await reserve({ expires_in_s: 20 }, key), 422, "idempotency_mismatch");
  });

  it.each([
    [{ amounts: { usd: "-1" } }, "amounts.usd"],
    [{ amounts: { usd: "0.0000001" } }, "amounts.usd"],
    [{ amounts: { usd: "1000001" } }, "amounts.usd"],
    [{ amounts: { usd: 0.42 } }, "amounts.usd"],
    [{ amounts: { usd: "1e3" } }, "amounts.usd"],
    [{ amounts: { tokens: -1 } }, "amounts.tokens"],
    [{ amounts: { tokens: 1.5 } }, "amounts.tokens"],
    [{ amounts: { tokens: 1e30 } }, "amounts.tokens"],
    [{ amounts: { tokens: "12" } }, "amounts.tokens"],
    [{ amounts: [] }, "amounts"],
    [{ expires_in_s: 9 }, "expires_in_s"],
    [{ expires_in_s: 86_401 }, "expires_in_s"],
    [{ decision_id: "x" }, "decision_id"],
  ])("rejects %j", async (body, field) => {
    const { status, body: problem } = await reserve(body);
    expect({ status, problem }).toMatchObject({
      status: 422,
      problem: { code: "validation_failed", field },
    });
  });

  it("rejects numbers that JSON can't say", async () => {
    const url = `${world.server.url}${PATH}`;
    for (const tokens of ["1e400", "-1e400"]) {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${scene.token}`, "content-type": "application/json" },
        body: `{"amounts":{"tokens":${tokens}}}`,
      });
      expect(response.status).toBe(422);
    }
  });

  it("is for agents with the scope", async () => {
    expectProblem(await createTestClient(world.server.url).post(PATH, {}), 401, "unauthenticated");
    const other = await scene.agentWith("gateway:read");
    expectProblem(await other.post(PATH, {}), 403, "insufficient_scope");
  });
});

describe("the end of a reservation", () => {
  it("settles it, once", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve()).body.reservation;
    const settle = (amounts: object) => scene.agent.post(`${PATH}/${id}/settle`, { amounts });
    for (const _ of [1, 2]) {
      const { status, body } = await settle({ usd: "0.1", tokens: 5 });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          reservation: {
            ...{ status: "settled", amounts: { usd: "0.1", tokens: 5 } },
            budgets: [{ used: "0.1", reserved: "0" }],
          },
        },
      });
    }
    expectProblem(await settle({ usd: "0.2" }), 409, "invalid_state");
    expectProblem(await scene.agent.post(`${PATH}/${id}/release`), 409, "invalid_state");
  });

  it("releases it, once", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve()).body.reservation;
    for (const _ of [1, 2]) {
      const { status, body } = await scene.agent.post(`${PATH}/${id}/release`);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { reservation: { status: "released", budgets: [{ used: "0", reserved: "0" }] } },
      });
    }
  });

  it("is not found for other agents and unknown ids", async () => {
    const { id } = (await reserve()).body.reservation;
    const other = (await createGatewayScene(world)).agent;
    for (const path of [`${PATH}/${id}`, `${PATH}/${crypto.randomUUID()}`]) {
      expectProblem(await other.get(path), 404, "not_found");
      expectProblem(await other.post(`${path}/settle`, {}), 404, "not_found");
      expectProblem(await other.post(`${path}/release`), 404, "not_found");
    }
  });
});

describe("GET /api/v1/operator/budgets", () => {
  it("lists budgets with the sums of their current periods", async () => {
    const reader = await scene.agentWith("gateway:read");
    const { id } = await createBudget(scene.ctx, {
      ...{ ...DOLLARS, scope: { type: "each_agent" }, period: "month", timeZone: "Europe/Berlin" },
      thresholds: [{ percent: 80, action: "warn" }],
    });
    await createBudget(scene.ctx, { ...CALLS, enabled: false });
    await reserve({ amounts: { usd: "2.5" } });
    const { status, body, headers } = await reader.get("/api/v1/operator/budgets?limit=2");
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        budgets: [
          { name: "calls", unit: "calls", enabled: false, default_estimate: null, windows: [] },
          {
            ...{ id, name: "dollars", limit: "10", default_estimate: "0.5", on_expiry: "charge" },
            scope: { type: "each_agent", agent_id: null, label: null, value: null },
            ...{ period: "month", time_zone: "Europe/Berlin" },
            thresholds: [{ percent: 80, action: "warn" }],
            windows: [{ subject: scene.agentId, limit: "10", used: "0", reserved: "2.5" }],
          },
        ],
        pagination: { total: 2, has_more: false },
      },
    });
    const same = { "if-none-match": headers.get("etag") ?? "" };
    expect((await reader.get("/api/v1/operator/budgets?limit=2", same)).status).toBe(304);
    await updateBudget(scene.ctx, { id, limit: "20" });
    expect((await reader.get("/api/v1/operator/budgets?limit=2", same)).status).toBe(200);
  });

  it("is for those who may read the gateway", async () => {
    const other = await scene.agentWith("gateway:check");
    expectProblem(await other.get("/api/v1/operator/budgets"), 403, "insufficient_scope");
    const nobody = createTestClient(world.server.url);
    expectProblem(await nobody.get("/api/v1/operator/budgets"), 401, "unauthenticated");
  });
});

describe("the field windows of a budget", () => {
  const WINDOWS = `query ($id: ID!, $first: Int, $after: String) {
    budget(id: $id) { windows(first: $first, after: $after) { subject used } }
  }`;

  it("has the sums after a subject", async () => {
    const { id: uuid } = await createBudget(scene.ctx, {
      ...CALLS,
      scope: { type: "each_label", label: "team" },
    });
    const id = toGlobalId("Budget", uuid);
    for (const team of ["c", "a", "b"]) {
      await scene.ctx.db.agent.updateMany({ where: { id: scene.agentId }, data: { labels: { team } } });
      await reserve();
    }
    const read = async (page: object) =>
      (await scene.agent.graphql(WINDOWS, { id, ...page })).body.data.budget.windows.map(
        ({ subject }: { subject: string }) => subject,
      );
    expect(await read({ first: 2 })).toEqual(["a", "b"]);
    expect(await read({ first: 2, after: "b" })).toEqual(["c"]);
    for (const first of [0, 101]) {
      const { body } = await scene.agent.graphql(WINDOWS, { id, first });
      expect(body.errors).toMatchObject([{ extensions: { code: "VALIDATION_FAILED", field: "first" } }]);
    }
  });
});
