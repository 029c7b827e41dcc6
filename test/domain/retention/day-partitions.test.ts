import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDecisionLog } from "../../../src/domain/decisions/decision-log.ts";
import type { Run } from "../../../src/db/sql.ts";
import {
  DECISION_PARTITIONS,
  createDayPartitions,
  dropOldDayPartitions,
} from "../../../src/domain/retention/day-partitions.ts";
import { startDayPartitions } from "../../../src/domain/retention/start-day-partitions.ts";
import { createDecisionCleanups } from "../../../src/domain/decisions/decision-cleanup.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { createDecisionRow } from "../../support/decision-row.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const DAY_MS = 86_400_000;

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

async function listPartitions(): Promise<string[]> {
  const rows = await server.database.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'decision'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

async function createCtx(): Promise<Ctx> {
  return server.systemCtx((await server.createWorkspace()).workspaceId);
}

describe("the partitions of decisions", () => {
  it("are created for a week, by any number of nodes at once, and deleted when no workspace keeps their day", async () => {
    const [usual, shorter] = await Promise.all([createCtx(), createCtx()]);
    await updateWorkspace(shorter, { decisionRetentionDays: 5 });

    const { database } = server.services;
    const day = new Date("2026-02-24T23:59:59Z");
    await Promise.all([1, 2, 3].map(() => createDayPartitions(database, DECISION_PARTITIONS, day)));
    expect(await listPartitions()).toEqual([
      ...["decision_20260224", "decision_20260225", "decision_20260226", "decision_20260227"],
      ...["decision_20260228", "decision_20260301", "decision_20260302", "decision_20260303"],
    ]);
    expect(await dropOldDayPartitions(database, DECISION_PARTITIONS, new Date("2026-03-26T00:00:00Z"))).toBe(
      0,
    );
    expect(await dropOldDayPartitions(database, DECISION_PARTITIONS, new Date("2026-03-28T23:00:00Z"))).toBe(
      2,
    );
    expect((await listPartitions())[0]).toBe("decision_20260226");
    await updateWorkspace(usual, { decisionRetentionDays: 32 });
    expect(await dropOldDayPartitions(database, DECISION_PARTITIONS, new Date("2026-03-30T00:00:00Z"))).toBe(
      0,
    );
    expect(await dropOldDayPartitions(database, DECISION_PARTITIONS, new Date("2026-03-31T00:00:00Z"))).toBe(
      1,
    );
  });

  it("are created when a server starts", async () => {
    const started = new Date("2026-09-01T12:00:00Z");
    const live = { ...server.services.live, now: () => started };
    const job = startDayPartitions({ ...server.services, live });
    await expect.poll(listPartitions).toContain("decision_20260908");
    await job.stop();
  });

  it("are created on demand by decisions of any day", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const days = ["2026-06-01T00:00:00.000Z", "2026-07-31T23:59:59.999Z"].map((day) =>
      createDecisionRow(new Date(day)),
    );
    await Promise.all(days.map(log.store));
    const [row] = await server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
      [days.map(({ id }) => id)],
    );
    expect(row?.count).toBe(2);
  });
});

describe("the retention of decisions", () => {
  it("deletes those of workspaces that keep them shorter than others", async () => {
    const [usual, shorter] = await Promise.all([createCtx(), createCtx()]);
    await updateWorkspace(shorter, { decisionRetentionDays: 5 });
    const now = new Date("2026-05-20T12:00:00Z");
    const log = createDecisionLog(server.services.database, server.services.log);
    const ages = [0, 5 * DAY_MS - 1, 5 * DAY_MS + 1, 9 * DAY_MS];
    const rows = [usual, shorter].flatMap(({ workspaceId }) =>
      ages.map((age) => ({ ...createDecisionRow(new Date(now.getTime() - age)), workspaceId })),
    );
    await Promise.all(rows.map(log.store));
    const clean = () => cleanUp(server.services, createDecisionCleanups(server.services, now));
    expect(await clean()).toMatchObject({ deleted: { decision: 2 }, failures: [] });
    expect((await clean()).deleted).toEqual({});
    const left = await server.database.query<{ id: string }>(
      "SELECT id FROM decision WHERE workspace_id = ANY ($1)",
      [[usual.workspaceId, shorter.workspaceId]],
    );
    const kept = [...rows.slice(0, 4), ...rows.slice(4, 6)];
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
  });
});

describe("the decision log", () => {
  it("says which decisions could not be stored, and stores the others", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const [good, bad] = [
      createDecisionRow(new Date()),
      { ...createDecisionRow(new Date()), requestHash: "no hex" },
    ];
    const stored = await Promise.allSettled([log.store(good), log.store(bad)]);
    expect(stored.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("finds one of 200 that can't be stored with few statements", async () => {
    const { database, log } = server.services;
    let statements = 0;
    const run: Run = (statement, values) => {
      statements++;
      return database.run(statement, values);
    };
    const decisions = createDecisionLog({ run }, log);
    const rows = Array.from({ length: 200 }, () => createDecisionRow(new Date()));
    rows[99] = { ...createDecisionRow(new Date()), requestHash: "no hex" };
    const stored = await Promise.allSettled(rows.map(decisions.store));
    expect(stored.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(statements).toBeLessThan(30);
  });

  it("stores refusals while permissions wait", async () => {
    const { database, log } = server.services;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const permission = { ...createDecisionRow(new Date()), action: "held" };
    const run: Run = async (statement, values) => {
      if (String(values[0]).includes('"held"')) await released;
      return database.run(statement, values);
    };
    const decisions = createDecisionLog({ run }, log);
    await Promise.all(Array.from({ length: 200 }, () => decisions.buffer(permission)));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(decisions.store(createDecisionRow(new Date()))).resolves.toBeUndefined();
    release();
    await decisions.close();
  });

  /** Workspaces share it. */
  const LITTLE = { buffered: 5000, bufferedBytes: 8000, bytes: 13_000 };

  it("holds at most so many bytes while the database does not answer: permissions wait, then all are refused", async () => {
    const { database, log } = server.services;
    const lock = await lockTable(server.database, "decision");
    const row = { ...createDecisionRow(new Date()), request: "x".repeat(1000) };
    const create = () => ({ ...row, id: createDecisionRow(new Date()).id });
    const decisions = createDecisionLog(database, log, LITTLE);
    await Promise.all([decisions.buffer(create()), decisions.buffer(create())]);
    let isStored = false;
    const waiting = decisions.buffer(create()).then(() => (isStored = true));
    const refusal = decisions.store(create());
    await lock.waiters(1);
    expect(isStored).toBe(false);
    const rest = await Promise.allSettled([1, 2, 3].map(() => decisions.store(create())));
    expect(rest).toMatchObject([1, 2, 3].map(() => ({ reason: { code: "unavailable" } })));
    const { workspaceId } = createDecisionRow(new Date());
    await expect(decisions.buffer({ ...create(), workspaceId })).resolves.toBeUndefined();
    await lock.release();
    await Promise.all([waiting, refusal]);
    await expect(decisions.store(create())).resolves.toBeUndefined();
    await decisions.close();
  });

  it("stores what nobody waits for when it is closed", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const rows = Array.from({ length: 450 }, () => createDecisionRow(new Date()));
    await Promise.all(rows.map(log.buffer));
    await log.close();
    const [row] = await server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
      [rows.map(({ id }) => id)],
    );
    expect(row?.count).toBe(450);
  });
});
