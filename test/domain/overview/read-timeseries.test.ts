import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { METRICS, type MetricName } from "../../../src/domain/overview/metrics.ts";
import { type MetricSeries, readTimeseries } from "../../../src/domain/overview/read-timeseries.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const FROM = new Date("2026-03-01T12:00:00Z");
const HOUR = { from: FROM, to: at(3600), step: 600 };

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

beforeEach(async () => {
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
});

afterAll(() => server.close());

function at(seconds: number): Date {
  return new Date(FROM.getTime() + seconds * 1000);
}

function taskAt(seconds: number, queue = "default") {
  ctx.now = at(seconds);
  return createTask(ctx, { title: "Count", queue });
}

async function values(metric: MetricName, groupBy?: Parameters<typeof readTimeseries>[1]["groupBy"]) {
  const series = await readTimeseries(ctx, { metric, ...HOUR, ...(groupBy && { groupBy }) });
  return Object.fromEntries(series.map(({ key, values: line }) => [key ?? "null", line]));
}

describe("readTimeseries", () => {
  it("includes the start and excludes the end", async () => {
    for (const seconds of [-1, 0, 599, 600, 3599, 3600]) await taskAt(seconds);
    expect(await values("tasks_created")).toEqual({ null: [2, 1, 0, 0, 0, 1] });
  });

  it("has a shorter last step if the range is not a multiple", async () => {
    for (const seconds of [0, 1499, 1500]) await taskAt(seconds);
    const [series] = await readTimeseries(ctx, {
      metric: "tasks_created",
      from: FROM,
      to: at(1500),
      step: 600,
    });
    expect(series).toEqual<MetricSeries>({
      key: null,
      label: "all",
      from: FROM,
      stepSeconds: 600,
      values: [1, 0, 1],
    });
  });

  it("returns zeros for counts and nulls for everything else without data", async () => {
    for (const metric of Object.keys(METRICS) as MetricName[]) {
      const { empty } = METRICS[metric];
      expect(await values(metric), metric).toEqual({ null: Array(6).fill(empty) });
      for (const group of Object.keys(METRICS[metric].groups)) {
        // The metric's own groups.
        expect(await values(metric, group as "queue"), `${metric} by ${group}`).toEqual({});
      }
    }
  });

  it("returns the twenty largest series, and the sum of the rest", async () => {
    for (let queue = 1; queue <= 22; queue++) {
      await taskAt(0, `q${queue}`);
      if (queue <= 19) await taskAt(600, `q${queue}`);
    }
    const series = await readTimeseries(ctx, { metric: "tasks_created", ...HOUR, groupBy: "queue" });
    expect(series).toHaveLength(20);
    expect(series.at(-1)).toMatchObject({ key: null, label: "other", values: [3, 0, 0, 0, 0, 0] });
    expect(series.slice(0, -1).every(({ values: line }) => line[0] === 1 && line[1] === 1)).toBe(true);
  });

  it("labels agents by name if the caller may read agents, else by id", async () => {
    const id = await insertTestAgent(ctx);
    await createAgentCommand(ctx, id, { createdAt: at(0) });
    const labels = async (asked: Ctx) =>
      (await readTimeseries(asked, { metric: "commands_issued", ...HOUR, groupBy: "agent" })).map(
        ({ key, label }) => [key, label],
      );
    expect(await labels(userCtx(server, ctx.workspaceId, "viewer"))).toEqual([[id, "An agent"]]);
    const scopes = ["agent_commands:read"] as const;
    expect(await labels(agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes }))).toEqual([
      [id, id],
    ]);
  });

  it("measures tasks: time to first claim, duration and expired leases", async () => {
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId });
    const work = async (created: number, claimed: number, finished: number | null) => {
      const task = await taskAt(created);
      agent.now = at(claimed);
      const claim = await claimTask(agent, { leaseSeconds: 60 });
      if (finished === null) return;
      agent.now = at(finished);
      await completeTask(agent, { id: task.id, leaseToken: claim?.lease.token ?? "" });
    };
    await work(0, 10, 20);
    await work(600, 640, 670);
    await work(600, 640, null);
    await sweepTasks(server.services, at(1200));
    expect(await values("task_wait_p95")).toEqual({ null: [10, 40, null, null, null, null] });
    expect(await values("task_duration_p95")).toEqual({ null: [10, 30, null, null, null, null] });
    expect(await values("tasks_finished", "status")).toEqual({ completed: [1, 1, 0, 0, 0, 0] });
    expect(await values("tasks_finished", "agent")).toEqual({ [id]: [1, 1, 0, 0, 0, 0] });
    expect(await values("leases_expired", "queue")).toEqual({ default: [0, 0, 1, 0, 0, 0] });
  });

  it("counts failed tasks by the code of their error", async () => {
    const id = await insertTestAgent(ctx);
    for (const [seconds, error] of [
      [0, { code: "timeout", retryable: false }],
      [600, { code: "timeout", retryable: false }],
      [601, { retryable: false }],
      [602, { code: "timeout" }],
    ] as const) {
      const task = await taskAt(seconds);
      const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { now: at(seconds) });
      const claim = await claimTask(agent, { leaseSeconds: 60 });
      const failure = { message: "It failed.", ...error };
      await failTask(agent, { id: task.id, leaseToken: claim?.lease.token ?? "", error: failure });
    }
    expect(await values("tasks_failed", "cause")).toEqual({
      timeout: [1, 1, 0, 0, 0, 0],
      agent_error: [0, 1, 0, 0, 0, 0],
    });
  });

  it("counts the last expired lease too, which ends its task", async () => {
    const id = await insertTestAgent(ctx);
    ctx.now = at(0);
    await createTask(ctx, { title: "Count", maxAttempts: 1 });
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { now: at(0) });
    await claimTask(agent, { leaseSeconds: 60 });
    await sweepTasks(server.services, at(700));
    expect(await values("leases_expired", "agent")).toEqual({ [id]: [0, 1, 0, 0, 0, 0] });
  });

  it("takes the 95th percentile of a step's commands", async () => {
    const agentId = await insertTestAgent(ctx);
    for (let seconds = 1; seconds <= 21; seconds++) {
      await createAgentCommand(ctx, agentId, {
        createdAt: at(0),
        deliveredAt: at(100),
        acknowledgedAt: at(100 + seconds),
        finishedAt: at(1300),
        status: "succeeded",
      });
    }
    expect(await values("command_ack_p95", "type")).toEqual({
      "agent.pause": [20, null, null, null, null, null],
    });
    expect(await values("commands_finished", "status")).toEqual({ succeeded: [0, 0, 21, 0, 0, 0] });
  });

  it("weighs pass rates by the items of the runs, and averages batteries", async () => {
    const skipped = 4;
    const run = (passed: number, judged: number, finishedAt: Date) =>
      insertTestEvalRun(ctx, {
        status: "completed",
        resultCounts: { total: judged + skipped, passed, failed: judged - passed, errored: 0 },
        finishedAt,
      });
    await run(1, 1, at(0));
    await run(0, 3, at(1));
    await run(0, 0, at(600));
    expect(await values("eval_pass_rate", "suite")).toEqual({ smoke: [0.25, null, null, null, null, null] });
    const robotId = await insertTestAgent(ctx, "robot");
    for (const [seconds, batteryPercent] of [
      [0, 50],
      [30, 40],
      [700, null],
    ] as const) {
      await ctx.db.robotSample.create({
        data: { workspaceId: ctx.workspaceId, robotId, at: at(seconds), status: "idle", batteryPercent },
      });
    }
    expect(await values("robot_battery", "robot")).toEqual({ [robotId]: [45, null, null, null, null, null] });
    await insertTestMission(ctx, { status: "failed", finishedAt: at(0) });
    expect(await values("missions_finished", "robot")).toEqual({ "": [1, 0, 0, 0, 0, 0] });
  });

  it.each([
    ["to", { to: FROM }],
    ["to", { to: at(-1) }],
    ["from", { to: at(31 * 86_400 + 1), step: 86_400 }],
    ["step", { step: 3 }],
    ["step", { step: 0 }],
    ["step", { step: 2.5 }],
    ["step", { step: 1e9 }],
    ["groupBy", { groupBy: "robot" as const }],
  ])("rejects a %s out of range (%o)", async (field, asked) => {
    const refused = readTimeseries(ctx, { metric: "tasks_created", ...HOUR, ...asked });
    await expect(refused).rejects.toMatchObject({ code: "validation_failed", details: { field } });
  });

  it("allows 1,000 points and 31 days", async () => {
    const [fine] = await readTimeseries(ctx, { metric: "tasks_created", from: FROM, to: at(1000), step: 1 });
    expect(fine?.values).toHaveLength(1000);
    const long = { metric: "tasks_created", from: FROM, to: at(31 * 86_400), step: 86_400 } as const;
    expect((await readTimeseries(ctx, long))[0]?.values).toHaveLength(31);
  });

  it("rejects an actor without the scope", async () => {
    const id = await insertTestAgent(ctx);
    for (const metric of Object.keys(METRICS) as MetricName[]) {
      const { scope } = METRICS[metric];
      const others = ["agents:read", scope === "tasks:read" ? "missions:read" : "tasks:read"] as const;
      const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes: others });
      expect(await getErrorCode(readTimeseries(agent, { metric, ...HOUR })), metric).toBe(
        "insufficient_scope",
      );
    }
  });
});
