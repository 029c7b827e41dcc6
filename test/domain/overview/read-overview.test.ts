import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { type Overview, readOverview, getSection } from "../../../src/domain/overview/read-overview.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const MINUTE = 60_000;

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

async function newCtx(): Promise<Ctx> {
  const { workspaceId } = await server.createWorkspace();
  return server.systemCtx(workspaceId);
}

async function worker(ctx: Ctx): Promise<Ctx> {
  return agentCtx(server, { id: await insertTestAgent(ctx), workspaceId: ctx.workspaceId });
}

/** Makes something happen in the past. */
async function ago<Result>(ctx: Ctx, ms: number, act: () => Promise<Result>): Promise<Result> {
  ctx.now = new Date(Date.now() - ms);
  const result = await act();
  ctx.now = null;
  return result;
}

describe("readOverview", () => {
  it("is all zeros for a new workspace, except the primary key's agent", async () => {
    const ctx = await newCtx();
    const overview = await readOverview(ctx, "last_hour");
    expect(overview).toEqual<Overview>({
      at: expect.any(Date),
      agents: { presence: { offline: 1 }, controlState: { active: 1 } },
      tasks: { counts: {}, ended: {}, queues: [] },
      questions: { waiting: 0, oldestId: null, oldestAt: null },
      agentCommands: { counts: {}, ended: {}, unacknowledged: 0, oldestUnacknowledgedAt: null },
      robots: { counts: {}, controlState: {}, emergencyStopped: 0 },
      missions: { counts: {}, ended: {} },
      evalRuns: { counts: {} },
    });
  });

  it("counts unarchived agents by presence and control state", async () => {
    const ctx = await newCtx();
    const operator = userCtx(server, ctx.workspaceId, "admin");
    const [online, stale, gone] = [
      await insertTestAgent(ctx),
      await insertTestAgent(ctx),
      await insertTestAgent(ctx),
    ];
    const seen = (id: string, ms: number) =>
      ctx.db.agent.updateMany({ where: { id }, data: { lastSeenAt: new Date(Date.now() - ms) } });
    await seen(online, MINUTE / 2);
    await seen(stale, 2 * MINUTE);
    await seen(gone, MINUTE / 2);
    await setAgentControlState(operator, { id: stale, controlState: "paused", reason: "Test" });
    await archiveAgent(operator, gone);
    const { agents } = await readOverview(ctx, "last_hour");
    expect(agents).toEqual({
      presence: { online: 1, stale: 1, offline: 1 },
      controlState: { active: 2, paused: 1 },
    });
  });

  it("counts what finished in each window", async () => {
    const ctx = await newCtx();
    for (const ms of [5 * MINUTE, 120 * MINUTE, 3 * 1440 * MINUTE, 9 * 1440 * MINUTE]) {
      await ago(ctx, ms, async () => {
        const { id } = await createTask(ctx, { title: "Count" });
        await cancelTask(ctx, { id });
        const at = ctx.now ?? new Date();
        await insertTestMission(ctx, { status: "failed", finishedAt: at });
        const agentId = await insertTestAgent(ctx);
        await createAgentCommand(ctx, agentId, { status: "succeeded", finishedAt: at });
      });
    }
    const ended = async (window: "last_hour" | "last_day" | "last_week") => {
      const { tasks, missions, agentCommands } = await readOverview(ctx, window);
      return [tasks.ended, missions.ended, agentCommands.ended];
    };
    expect(await ended("last_hour")).toEqual([{ canceled: 1 }, { failed: 1 }, { succeeded: 1 }]);
    expect(await ended("last_day")).toEqual([{ canceled: 2 }, { failed: 2 }, { succeeded: 2 }]);
    expect(await ended("last_week")).toEqual([{ canceled: 3 }, { failed: 3 }, { succeeded: 3 }]);
    const { tasks } = await readOverview(ctx, "last_hour");
    expect(tasks.counts).toMatchObject({ canceled: 4 });
  });

  it("lists the longest queues first, with their longest waiting task", async () => {
    const ctx = await newCtx();
    const { actor } = await worker(ctx);
    const assigneeAgentId = "id" in actor ? actor.id : null;
    const oldest = new Date(Date.now() - MINUTE);
    await ago(ctx, MINUTE, async () => {
      ctx.now = oldest;
      await createTask(ctx, { title: "x", queue: "deep", assigneeAgentId });
    });
    await createTask(ctx, { title: "x", queue: "deep" });
    await createTask(ctx, { title: "x", queue: "a-flat-one" });
    const done = await createTask(ctx, { title: "x", queue: "done" });
    await cancelTask(ctx, { id: done.id });
    const { tasks } = await readOverview(ctx, "last_hour");
    expect(tasks.queues).toEqual([
      { name: "deep", depth: 2, oldestAt: oldest },
      { name: "a-flat-one", depth: 1, oldestAt: expect.any(Date) },
    ]);
  });

  it("counts open questions, except of finished tasks", async () => {
    const ctx = await newCtx();
    const agent = await worker(ctx);
    const ask = async () => {
      const task = await createTask(ctx, { title: "x" });
      const leaseToken = (await claimTask(agent, {}))?.lease.token ?? "";
      const question = await sendMessage(agent, {
        ...{ kind: "question", taskId: task.id, leaseToken },
        parts: [{ text: "Which one?" }],
      });
      return { task, leaseToken, question: question.message };
    };
    const first = await ask();
    const second = await ask();
    await sendMessage(agent, { kind: "question", parts: [{ text: "Anybody there?" }] });
    const before = (await readOverview(ctx, "last_hour")).questions;
    expect(before).toMatchObject({ waiting: 3, oldestId: first.question.id });
    await failTask(agent, {
      id: first.task.id,
      leaseToken: first.leaseToken,
      error: { message: "It broke", retryable: false },
    });
    const after = (await readOverview(ctx, "last_hour")).questions;
    expect(after).toEqual({
      waiting: 2,
      oldestId: second.question.id,
      oldestAt: new Date(second.question.createdAt),
    });
  });

  it("counts unacknowledged commands, with the oldest", async () => {
    const ctx = await newCtx();
    const agentId = await insertTestAgent(ctx);
    const createdAt = new Date(Date.now() - MINUTE);
    await createAgentCommand(ctx, agentId, { status: "delivered", createdAt });
    await createAgentCommand(ctx, agentId, {});
    await createAgentCommand(ctx, agentId, { status: "acknowledged", createdAt: new Date(0) });
    const { agentCommands } = await readOverview(ctx, "last_hour");
    expect(agentCommands).toMatchObject({ unacknowledged: 2, oldestUnacknowledgedAt: createdAt });
  });

  it("counts robots, during an emergency stop as stopped", async () => {
    const ctx = await newCtx();
    const robot = await insertTestAgent(ctx, "robot");
    await insertTestAgent(ctx, "robot");
    await ctx.db.robot.updateMany({
      where: { id: robot },
      data: { status: "error", emergencyStop: "manual" },
    });
    await insertTestEvalRun(ctx, { status: "running" });
    await emergencyStop(userCtx(server, ctx.workspaceId, "operator"), { reason: "Smoke" });
    const overview = await readOverview(ctx, "last_hour");
    expect(overview.robots).toEqual({
      controlState: { stopped: 2 },
      counts: { error: 1, offline: 1 },
      emergencyStopped: 1,
    });
    expect(overview.evalRuns.counts).toEqual({ running: 1 });
  });

  it("counts finished work, and not held work", async () => {
    const ctx = await newCtx();
    const agent = await worker(ctx);
    const { id } = await createTask(ctx, { title: "x" });
    const claim = await claimTask(agent, {});
    expect((await readOverview(ctx, "last_hour")).tasks.ended).toEqual({});
    await completeTask(agent, { id, leaseToken: claim?.lease.token ?? "" });
    expect((await readOverview(ctx, "last_hour")).tasks.ended).toEqual({ completed: 1 });
  });
});

describe("getSection", () => {
  it("rejects an actor without the scope", async () => {
    const ctx = await newCtx();
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes: ["tasks:read"] });
    const overview = await readOverview(agent, "last_hour");
    expect(getSection(agent, overview, "tasks")).toBe(overview.tasks);
    for (const section of [
      "agents",
      "questions",
      "agentCommands",
      "robots",
      "missions",
      "evalRuns",
    ] as const) {
      expect(await getErrorCode(Promise.resolve().then(() => getSection(agent, overview, section)))).toBe(
        "insufficient_scope",
      );
    }
    const viewer = userCtx(server, ctx.workspaceId, "viewer");
    expect(getSection(viewer, await readOverview(viewer, "last_hour"), "agents")).toBeDefined();
  });
});
