import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DecisionRow, createDecisionLog } from "../../../src/domain/decisions/decision-log.ts";
import type { Run } from "../../../src/db/sql.ts";
import {
  createDecisionPartitions,
  dropOldDecisionPartitions,
} from "../../../src/domain/decisions/decision-partitions.ts";
import { startDecisionPartitions } from "../../../src/domain/decisions/start-decision-partitions.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

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

function createRow(createdAt: Date): DecisionRow {
  const time = createdAt.getTime().toString(16).padStart(12, "0");
  return {
    workspaceId: crypto.randomUUID(),
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`,
    agentId: crypto.randomUUID(),
    ...{ subject: null, action: "x", resourceType: "tool", resourceId: "x", outcome: "deny" },
    ...{
      reason: "default_deny",
      matched: [],
      gateGeneration: null,
      policyCount: null,
      would: null,
      request: {},
      requestHash: "00",
      taskId: null,
    },
    ...{ consideredCount: null, entities: null, approvalId: null },
    ...{ executionId: null, traceId: null, requestId: null, latencyUs: 1 },
    createdAt: createdAt.toISOString(),
  };
}

describe("the partitions of decisions", () => {
  it("are created for a week, by any number of nodes at once, and deleted 30 days after their day", async () => {
    const { database } = server.services;
    const day = new Date("2026-02-24T23:59:59Z");
    await Promise.all([1, 2, 3].map(() => createDecisionPartitions(database, day)));
    expect(await listPartitions()).toEqual([
      ...["decision_20260224", "decision_20260225", "decision_20260226", "decision_20260227"],
      ...["decision_20260228", "decision_20260301", "decision_20260302", "decision_20260303"],
    ]);
    expect(await dropOldDecisionPartitions(database, new Date("2026-03-26T00:00:00Z"))).toBe(0);
    expect(await dropOldDecisionPartitions(database, new Date("2026-03-28T23:00:00Z"))).toBe(2);
    expect((await listPartitions())[0]).toBe("decision_20260226");
  });

  it("are created when a server starts", async () => {
    const started = new Date("2026-09-01T12:00:00Z");
    const live = { ...server.services.live, now: () => started };
    const job = startDecisionPartitions({ ...server.services, live });
    await expect.poll(listPartitions).toContain("decision_20260908");
    await job.stop();
  });

  it("are created on demand by decisions of any day", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const days = ["2026-06-01T00:00:00.000Z", "2026-07-31T23:59:59.999Z"].map((day) =>
      createRow(new Date(day)),
    );
    await Promise.all(days.map(log.store));
    const [row] = await server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
      [days.map(({ id }) => id)],
    );
    expect(row?.count).toBe(2);
  });
});

describe("the decision log", () => {
  it("says which decisions could not be stored, and stores the others", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const [good, bad] = [createRow(new Date()), { ...createRow(new Date()), requestHash: "no hex" }];
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
    const rows = Array.from({ length: 200 }, () => createRow(new Date()));
    rows[99] = { ...createRow(new Date()), requestHash: "no hex" };
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
    const permission = { ...createRow(new Date()), action: "held" };
    const run: Run = async (statement, values) => {
      if (String(values[0]).includes('"held"')) await released;
      return database.run(statement, values);
    };
    const decisions = createDecisionLog({ run }, log);
    await Promise.all(Array.from({ length: 200 }, () => decisions.buffer(permission)));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(decisions.store(createRow(new Date()))).resolves.toBeUndefined();
    release();
    await decisions.close();
  });

  it("holds at most so many bytes while the database does not answer: permissions wait, then all are refused", async () => {
    const { database, log } = server.services;
    const lock = await lockTable(server.database, "decision");
    const row = { ...createRow(new Date()), request: "x".repeat(1000) };
    const create = () => ({ ...row, id: createRow(new Date()).id });
    const decisions = createDecisionLog(database, log, { buffered: 5000, bufferedBytes: 4000, bytes: 6500 });
    await Promise.all([decisions.buffer(create()), decisions.buffer(create())]);
    let isStored = false;
    const waiting = decisions.buffer(create()).then(() => (isStored = true));
    const refusal = decisions.store(create());
    await lock.waiters(1);
    expect(isStored).toBe(false);
    const rest = await Promise.allSettled([1, 2, 3].map(() => decisions.store(create())));
    expect(rest).toMatchObject([1, 2, 3].map(() => ({ reason: { code: "unavailable" } })));
    await lock.release();
    await Promise.all([waiting, refusal]);
    await expect(decisions.store(create())).resolves.toBeUndefined();
    await decisions.close();
  });

  it("stores what nobody waits for when it is closed", async () => {
    const log = createDecisionLog(server.services.database, server.services.log);
    const rows = Array.from({ length: 450 }, () => createRow(new Date()));
    await Promise.all(rows.map(log.buffer));
    await log.close();
    const [row] = await server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
      [rows.map(({ id }) => id)],
    );
    expect(row?.count).toBe(450);
  });
});
