import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { ALERT_METRICS } from "../../../src/domain/alerts/alert-metrics.ts";
import { readTimeseries } from "../../../src/domain/overview/read-timeseries.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { foldTaskSums } from "../../../src/domain/task-sums/fold-task-sums.ts";
import { forgetTaskSums } from "../../../src/domain/task-sums/forget-task-sums.ts";
import { createTaskSumCleanup } from "../../../src/domain/task-sums/task-sum-cleanup.ts";
import {
  type TaskCounts,
  type TaskSumDimension,
  buildTaskCountsSql,
} from "../../../src/domain/task-sums/build-task-counts-sql.ts";
import { buildStatement } from "../../../src/db/sql.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-03-01T12:00:00Z");
const END = START + 72 * HOUR;
const DIMENSIONS: TaskSumDimension[] = ["workspace", "queue", "agent", "agent_queue"];

let quiet: QuietServices;
let ctx: Ctx;
let agents: string[];

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
  agents = [await insertTestAgent(ctx), await insertTestAgent(ctx)];
});

/** Random tasks that are created from `from` on, and finish within three hours, or never. Some on whole minutes. */
async function insertTasks(count: number, from = START, to = END - 3 * HOUR): Promise<void> {
  await quiet.database.query(
    `INSERT INTO task (workspace_id, id, context_id, title, created_by, queue, status, claimed_by_agent_id, created_at, finished_at)
    SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'A task', '{}', (ARRAY['a', 'b', 'c'])[1 + floor(random() * 3)::int],
      t.status, CASE WHEN random() < 0.8 THEN ($2::uuid[])[1 + floor(random() * 2)::int] END, t.at,
      CASE WHEN t.status <> 'submitted' THEN LEAST(t.at + random() * interval '3 hours', $5::timestamptz) END
    FROM (
      SELECT (ARRAY['submitted', 'completed', 'failed', 'canceled']::task_status[])[1 + floor(random() * 4)::int] AS status,
        date_trunc(CASE WHEN random() < 0.2 THEN 'minute' ELSE 'milliseconds' END,
          $3::timestamptz + random() * ($4::timestamptz - $3::timestamptz)) AS at
      FROM generate_series(1, ${count})
    ) t`,
    [ctx.workspaceId, agents, new Date(from), new Date(to), new Date(Math.max(to, END))],
  );
}

const KEYS: Record<TaskSumDimension, string> = {
  workspace: "''",
  queue: "queue",
  agent: "COALESCE(agent_id::text, '')",
  agent_queue: "COALESCE(agent_id::text, '') || queue",
};

type Range = { from: Date; to: Date; seconds?: number };

/** Reads counts by steps, from sums and rows. */
async function count(of: TaskCounts["of"], dimension: TaskSumDimension, range: Range): Promise<unknown[]> {
  const step = range.seconds === undefined ? {} : { step: "$4::int" };
  const counts = buildTaskCountsSql({ of, dimension, from: "$2", to: "$3", ...step });
  return summarize(counts, dimension, range);
}

/** Counts rows. */
async function recount(of: TaskCounts["of"], dimension: TaskSumDimension, range: Range): Promise<unknown[]> {
  const at = `${of}_at`;
  const rows = `SELECT ${at} AS at, ${of === "created" ? "'submitted'" : "status"} AS status, queue, 1 AS n,
    ${of === "created" ? "NULL" : "claimed_by_agent_id"} AS agent_id
    FROM task WHERE workspace_id = $1::uuid AND ${at} >= $2::timestamptz AND ${at} < $3::timestamptz`;
  return summarize(rows, dimension, range);
}

async function summarize(counts: string, dimension: TaskSumDimension, range: Range): Promise<unknown[]> {
  const seconds = range.seconds ?? 365 * 86_400;
  const text = `SELECT date_bin($4::int * interval '1 second', at, $2::timestamptz) AS bucket, status::text, ${KEYS[dimension]} AS key,
    sum(n)::int AS n FROM (${counts}) c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  return ctx.read(buildStatement("", text), [ctx.workspaceId, range.from, range.to, seconds]);
}

function random(most: number): number {
  return Math.floor(Math.random() * most);
}

/** Whole hours and minutes as well as others, and steps of both. */
function randomRange(): Range {
  const unit = [HOUR, 60_000, 1][random(3)] ?? 1;
  const from = START + random((72 * HOUR) / unit) * unit;
  const length = 1 + random(30 * HOUR);
  const seconds = [undefined, 3600, 7200, 1800, 60, 90, 7][random(7)];
  return { from: new Date(from), to: new Date(from + length), ...(seconds !== undefined && { seconds }) };
}

async function expectExact(times = 20): Promise<void> {
  for (let time = 0; time < times; time++) {
    const range = randomRange();
    for (const dimension of DIMENSIONS) {
      const label = `${dimension} ${JSON.stringify(range)}`;
      expect(await count("finished", dimension, range), label).toEqual(
        await recount("finished", dimension, range),
      );
    }
    for (const dimension of ["workspace", "queue"] as const) {
      expect(await count("created", dimension, range)).toEqual(await recount("created", dimension, range));
    }
  }
}

async function readSums(): Promise<{ seconds: number; n: number; keys: number }[]> {
  return quiet.database.query(
    `SELECT seconds, sum(count)::int AS n, count(*)::int AS keys FROM task_sum
    WHERE workspace_id = $1 AND dimension = 'workspace' GROUP BY seconds ORDER BY seconds`,
    [ctx.workspaceId],
  );
}

describe("foldTaskSums", () => {
  it("makes sums that are exact with the rows that are in none, for any range and steps", async () => {
    await insertTasks(3000);
    for (const hours of [-1, 5, 24.4, 50.02, 71]) {
      ctx.now = new Date(START + hours * HOUR);
      await foldTaskSums(quiet.services, ctx.now);
      await expectExact(8);
    }
    const [minutes, hours] = await readSums();
    expect(hours?.n).toBeGreaterThan(4000);
    expect(minutes?.n).toBeGreaterThan(2000);
    expect(hours?.keys).toBeLessThan(hours?.n ?? 0);
  });

  it("answers from sums alone where it can", async () => {
    await insertTasks(500);
    ctx.now = new Date(END + HOUR);
    await foldTaskSums(quiet.services, ctx.now);
    const range = { from: new Date(START), to: new Date(END), seconds: 3600 };
    const before = await count("finished", "queue", range);
    await quiet.database.query("DELETE FROM task WHERE workspace_id = $1", [ctx.workspaceId]);
    expect(await count("finished", "queue", range)).toEqual(before);
    const input = { metric: "tasks_created", ...range, step: 3600 } as const;
    const [series] = await readTimeseries(ctx, { ...input, from: range.from, to: range.to });
    expect(series?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(500);
  });

  it("leaves the last minute to the rows, and minutes in which an open transaction began", async () => {
    const open = new pg.Client({ connectionString: quiet.database.url });
    await open.connect();
    try {
      await open.query("BEGIN");
      await open.query("SELECT now()");
      const now = new Date(Date.now() + 10 * 60_000);
      await insertTasks(10, Date.now(), Date.now() + 1000);
      await foldTaskSums(quiet.services, now);
      expect(await readSums()).toEqual([]);
    } finally {
      await open.end();
    }
    await foldTaskSums(quiet.services, new Date(Date.now() + 10 * 60_000));
    expect((await readSums()).at(-1)?.n).toBeGreaterThanOrEqual(10);
  });

  it("adds each task once when nodes run at once, and in batches", async () => {
    await insertTasks(14_000);
    ctx.now = new Date(END + HOUR);
    await Promise.all([1, 2, 3].map(() => foldTaskSums(quiet.services, ctx.now)));
    while ((await foldTaskSums(quiet.services, ctx.now)) > 0);
    await expectExact(5);
    const [{ n } = { n: 0 }] = await quiet.database.query<{ n: number }>(
      `SELECT (count(*) + count(finished_at))::int AS n FROM task WHERE workspace_id = $1`,
      [ctx.workspaceId],
    );
    expect((await readSums()).at(-1)?.n).toBe(n);
  });

  it("undoes a batch whose transaction ends before its commit", async () => {
    await insertTasks(200);
    ctx.now = new Date(END + HOUR);
    await quiet.database.query(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON task_sum_place FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    await expect(foldTaskSums(quiet.services, ctx.now)).rejects.toThrow();
    await quiet.database.query("DROP TRIGGER refuse ON task_sum_place");
    expect(await readSums()).toEqual([]);
    await foldTaskSums(quiet.services, ctx.now);
    await expectExact(5);
  });
});

describe("forgetTaskSums", () => {
  it("counts rows that are written into the past", async () => {
    await insertTasks(100);
    ctx.now = new Date(END + HOUR);
    await foldTaskSums(quiet.services, ctx.now);
    await insertTasks(100);
    await ctx.transaction((tx) => forgetTaskSums(tx));
    await expectExact(3);
    await foldTaskSums(quiet.services, ctx.now);
    await expectExact(3);
  });
});

describe("createTaskSumCleanup", () => {
  it("deletes minutes after two days and hours with their tasks", async () => {
    await insertTasks(300);
    await foldTaskSums(quiet.services, new Date(END + HOUR));
    const clean = (now: number) =>
      cleanUp(quiet.services, [createTaskSumCleanup(quiet.services, new Date(now))]);
    ctx.now = new Date(END + 20 * HOUR);
    await clean(END + 20 * HOUR);
    await expectExact(5);
    await clean(END + 49 * HOUR);
    expect((await readSums()).map(({ seconds }) => seconds)).toEqual([3600]);
    await clean(END + 91 * 24 * HOUR);
    expect(await readSums()).toEqual([]);
  });
});

describe("task_failure_rate", () => {
  it("is of all tasks in the window, by agent, label and queue", async () => {
    await insertTasks(2000, END - 30 * HOUR, END - 3 * HOUR);
    await quiet.database.query(`UPDATE agent SET labels = '{"team": "x"}' WHERE id = $1`, [agents[0]]);
    const now = new Date(END + 1234);
    ctx.now = now;
    await foldTaskSums(quiet.services, now);
    const [agentId = ""] = agents;
    const covered: [string | null, string | null][] = [
      [null, null],
      [agentId, null],
      [null, "team"],
    ];
    for (const [agent, label] of covered) {
      for (const queue of [null, "a"]) {
        const rule = { workspaceId: ctx.workspaceId, agentId: agent, queue, windowSeconds: 86_400 };
        const read = ALERT_METRICS.task_failure_rate.read({
          ...rule,
          label,
          labelValue: label === null ? null : "x",
        });
        const [found] = await ctx.read(...read);
        const [expected] = await quiet.database.query<{ value: number }>(
          `SELECT avg((status = 'failed')::int)::float8 AS value FROM task WHERE workspace_id = $1
            AND status IN ('failed', 'completed') AND finished_at >= $2::timestamptz - interval '1 day'
            AND ($3::text IS NULL OR queue = $3) AND ($4 OR claimed_by_agent_id = $5::uuid)`,
          [ctx.workspaceId, now, queue, (agent ?? label ?? null) === null, agentId],
        );
        expect(found?.value, `${agent} ${label} ${queue}`).toBeCloseTo(expected?.value ?? -1, 9);
      }
    }
  });
});
