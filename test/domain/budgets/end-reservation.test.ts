import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runBudgetOperation } from "../../../src/domain/budgets/run-budget-operation.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../../src/domain/budgets/delete-budget.ts";
import { readReservation } from "../../../src/domain/budgets/read-reservation.ts";
import { releaseAssumed } from "../../../src/domain/budgets/release-assumed.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
} from "../../support/budget-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { lastAudit, readEventTypes } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let scene: BudgetScene;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createBudgetScene(server);
});

const reserve = (amounts: { usd?: string; tokens?: string } = {}, caller = scene.agent) =>
  reserveBudget(caller, { amounts });
const settle = (id: string, amounts: { usd?: string; tokens?: string } = {}) =>
  settleReservation(scene.agent, { id, amounts });

/** Used and reserved, as text. */
async function sums(): Promise<string[][]> {
  return (await readSums(server, scene.workspaceId)).map(({ used, reserved }) => [used, reserved]);
}

/** Ends what has expired, as the sweep does. */
async function expire(id: string, afterSeconds = 601) {
  const now = new Date(Date.now() + afterSeconds * 1000);
  return runBudgetOperation(callAs(scene.ctx, { now }), { kind: "expire", id, callerId: null });
}

describe("settleReservation", () => {
  it("counts what was used, and gives back the rest", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { reservation } = await reserve({ usd: "2" });
    expect(await settle(reservation.id, { usd: "0.5" })).toMatchObject({
      status: "settled",
      amounts: { usd: 500_000n, tokens: null },
      budgets: [{ used: 500_000n, reserved: 0n }],
    });
  });

  it("counts what was reserved where nothing is said", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await settle((await reserve()).reservation.id);
    expect(await sums()).toEqual([["500000", "0"]]);
  });

  it("may pass the limit, which is an event, and then nothing is admitted", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const { reservation } = await reserve({ usd: "1" });
    await settle(reservation.id, { usd: "12" });
    expect(await sums()).toEqual([["12000000", "0"]]);
    expect(await getErrorCode(reserve({ usd: "0" }))).toBe("budget_exceeded");
    expect(await readEventTypes(server, id)).toEqual(["budget.created", "budget.overrun"]);
  });

  it("changes nothing the second time, and rejects other amounts", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve()).reservation;
    await settle(id, { usd: "1.50" });
    expect(await settle(id, { usd: "1.5" })).toMatchObject({ status: "settled" });
    expect(await getErrorDetails(settle(id, { usd: "1.51" }))).toMatchObject({ currentStatus: "settled" });
    expect(await getErrorCode(releaseReservation(scene.agent, { id }))).toBe("invalid_state");
    expect(await sums()).toEqual([["1500000", "0"]]);
  });

  it("corrects what was charged when it expired", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve({ usd: "2" })).reservation;
    expect((await expire(id)).reservation).toMatchObject({ status: "expired", assumed: true });
    expect(await sums()).toEqual([["2000000", "0"]]);
    expect(await settle(id, { usd: "0.5" })).toMatchObject({ status: "settled", assumed: false });
    expect(await sums()).toEqual([["500000", "0"]]);
  });

  it("never lets sums overflow", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve()).reservation;
    await server.database.query(
      "UPDATE budget_window SET used = 2305843009213693951 WHERE workspace_id = $1",
      [scene.workspaceId],
    );
    await settle(id, { usd: "1000000" });
    expect(await sums()).toEqual([[`${2n ** 61n}`, "0"]]);
  });

  it("is for one's own reservations", async () => {
    const { id } = (await reserve()).reservation;
    const other = await scene.another();
    const foreign = await createBudgetScene(server);
    for (const caller of [other, foreign.agent]) {
      expect(await getErrorCode(settleReservation(caller, { id }))).toBe("not_found");
      expect(await getErrorCode(releaseReservation(caller, { id }))).toBe("not_found");
      expect(await getErrorCode(readReservation(caller, { id }))).toBe("not_found");
    }
    const outsider = userCtx(server, foreign.workspaceId, "owner");
    expect(await getErrorCode(releaseAssumed(outsider, { id }))).toBe("not_found");
  });

  it("rejects an actor without the scope, and people", async () => {
    const { id } = (await reserve()).reservation;
    const other = agentCtx(server, { id: scene.agentId, workspaceId: scene.workspaceId }, { scopes: [] });
    for (const act of [settleReservation, releaseReservation, readReservation]) {
      expect(await getErrorCode(act(other, { id }))).toBe("insufficient_scope");
      expect(await getErrorCode(act(scene.ctx, { id }))).toBe("forbidden");
    }
  });

  it("leaves alone what a deleted budget had", async () => {
    const { id: budget } = await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, { ...DOLLARS, name: "kept" });
    const { id } = (await reserve()).reservation;
    await deleteBudget(scene.ctx, { id: budget });
    expect(await settle(id, { usd: "1" })).toMatchObject({ budgets: [{ name: "kept", used: 1_000_000n }] });
  });
});

describe("releaseReservation", () => {
  it("gives back everything but calls, once", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, CALLS);
    const { id } = (await reserve()).reservation;
    for (const _ of [1, 2]) {
      expect(await releaseReservation(scene.agent, { id })).toMatchObject({ status: "released" });
      expect(await sums()).toEqual([
        ["0", "0"],
        ["1", "0"],
      ]);
    }
    expect(await getErrorDetails(settle(id))).toMatchObject({ currentStatus: "released" });
  });
});

describe("the expiry of a reservation", () => {
  it("charges or gives back as each budget says, and not before its time", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, { ...DOLLARS, name: "gives back", onExpiry: "release" });
    const { id } = (await reserve({ usd: "2" })).reservation;
    expect((await expire(id, 599)).reservation).toBeNull();
    expect((await expire(id)).reservation).toMatchObject({ status: "expired", assumed: true });
    expect((await expire(id)).reservation).toBeNull();
    expect(await sums()).toEqual([
      ["2000000", "0"],
      ["0", "0"],
    ]);
    expect(await getErrorCode(releaseReservation(scene.agent, { id }))).toBe("invalid_state");
    expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
  });

  it("assumes nothing where everything is given back", async () => {
    await createBudget(scene.ctx, { ...DOLLARS, onExpiry: "release" });
    const { id } = (await reserve({ usd: "2" })).reservation;
    expect((await expire(id)).reservation).toMatchObject({ status: "expired", assumed: false });
  });
});

describe("releaseAssumed", () => {
  it("gives back what was charged at the expiry, and is audited", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const { id } = (await reserve({ usd: "2" })).reservation;
    const operator = userCtx(server, scene.workspaceId, "operator");
    expect(await getErrorDetails(releaseAssumed(operator, { id }))).toMatchObject({ currentStatus: "held" });
    await expire(id);
    for (const _ of [1, 2]) {
      expect(await releaseAssumed(operator, { id })).toMatchObject({ status: "expired", assumed: false });
      expect(await sums()).toEqual([["0", "0"]]);
    }
    expect(await lastAudit(server, scene.workspaceId)).toMatchObject({
      action: "reservation.assumed_released",
      target_id: id,
    });
    await settle(id, { usd: "1" });
    expect(await sums()).toEqual([["1000000", "0"]]);
  });

  it("is for operators", async () => {
    const { id } = (await reserve()).reservation;
    const viewer = userCtx(server, scene.workspaceId, "viewer");
    expect(await getErrorCode(releaseAssumed(viewer, { id }))).toBe("forbidden");
    expect(await getErrorCode(releaseAssumed(scene.agent, { id }))).toBe("forbidden");
  });
});
