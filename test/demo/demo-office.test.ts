import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toColumnName } from "../../src/db/columns.ts";
import { loadWorld } from "../../src/demo/demo-world.ts";
import { agentCommands } from "../../src/demo/scenarios/agent-commands.ts";
import { createBudgets } from "../../src/demo/create-budgets.ts";
import { createPolicies } from "../../src/demo/create-policies.ts";
import { insertRoster } from "../../src/demo/insert-roster.ts";
import { prepareDemo } from "../../src/demo/prepare-demo.ts";
import { openDemoAgent } from "../../src/demo/simulator/demo-agent.ts";
import { type Office, openOffice } from "../../src/demo/simulator/office.ts";
import { continueJob, toOfficeJob } from "../../src/demo/simulator/office-job.ts";
import { SOFTWARE_AGENTS } from "../../src/demo/roster/software-agents.ts";
import { issueAgentCommands } from "../../src/domain/agent-commands/issue-agent-commands.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../src/domain/stops/release-stop.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../src/domain/tasks/claim-task.ts";
import { placeAttempt } from "../../src/domain/tasks/task-span.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { readStopStates } from "../../src/domain/stops/read-stop-states.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { approve } from "../support/approve.ts";
import { holdLock } from "../support/locked-table.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const MINUTES_MS = 60_000;

let server: TestServer;
let dataDir: string;
let ctx: Ctx;
let office: Office;
/** The time determines who creates work. */
let atMs = Date.parse("2100-01-01T00:00:00.000Z");

beforeAll(async () => {
  server = await startTestServer();
  dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-office-"));
  const { workspaceId } = await prepareDemo(server.services, dataDir);
  ctx = server.systemCtx(workspaceId);
  await insertRoster(ctx);
  await createPolicies(ctx);
  await createBudgets(ctx);
  office = openOffice(server.services, workspaceId);
});

afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

async function tick(afterMs = 10_000): Promise<void> {
  atMs += afterMs;
  await office.tick(new Date(atMs));
}

async function readTask(id: string) {
  return ctx.db.task.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

/** The tasks that the demo's agents created. */
async function listOwnTasks() {
  return ctx.db.task.findMany({ where: { labels: { path: ["team"], not: "none" } } });
}

async function readAgent(handle: string) {
  return ctx.db.agent.findFirstOrThrow({ where: { handle } });
}

describe("the demo's software agents", () => {
  it("are online and execute their commands", async () => {
    const { id: agentId } = await readAgent("translator");
    const { commands } = await issueAgentCommands(ctx, { agentId, type: "agent.reload_config" });
    await tick();
    const seen = await ctx.db.agent.findMany({
      where: { kind: "software", lastSeenAt: { gt: new Date(Date.now() - 30_000) } },
    });
    expect(seen).toHaveLength(SOFTWARE_AGENTS.length);
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: commands[0]?.id ?? "" } };
    expect(await ctx.db.agentCommand.findUnique({ where })).toMatchObject({ status: "succeeded" });
  });

  it("claim any task, report progress and complete it", async () => {
    const { id } = await createTask(ctx, { title: "Answer Ada", queue: "support", priority: 9 });
    await tick();
    const { id: worker } = await readAgent("support-replies");
    expect(await readTask(id)).toMatchObject({ status: "working", claimedByAgentId: worker, attempt: 1 });
    await tick();
    expect((await readTask(id)).progress).toBeGreaterThan(0);
    await tick(2 * MINUTES_MS);
    expect(await readTask(id)).toMatchObject({ status: "completed", output: { summary: "Done." } });
  });

  it("send the spans of what they do, which are open until they end", async () => {
    const { id } = await createTask(ctx, { title: "Answer Grace", queue: "support", priority: 9 });
    const readTrace = () =>
      ctx.db.trace.findUnique({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
    while ((await readTask(id)).status === "submitted") await tick();
    await tick();
    const { id: agentId } = await readAgent("support-replies");
    const root = { rootName: "run_task", rootParentId: null, agentId, plumbing: false };
    await expect.poll(readTrace).toMatchObject(root);
    const begun = await readTrace();
    expect(begun?.openCount).toBeGreaterThan(1);
    const { spanId } = placeAttempt(await readTask(id));
    const within = { traceId: id, parentSpanId: Buffer.from(spanId, "hex"), credentialAgentId: agentId };
    expect(await ctx.db.span.count({ where: within })).toBe(1);
    await tick(2 * MINUTES_MS);
    await expect.poll(readTrace).toMatchObject({ ...root, openCount: 0, status: "ok" });
    const ended = await readTrace();
    expect(ended?.spanCount).toBeGreaterThan(begun?.spanCount ?? 0);
    expect(Math.min(ended?.llmCount ?? 0, ended?.toolCount ?? 0)).toBeGreaterThan(0);
  });

  it("stop canceled tasks and continue", async () => {
    const [first, next] = [
      await createTask(ctx, { title: "Not this", queue: "returns", priority: 9 }),
      await createTask(ctx, { title: "But that", queue: "returns", priority: 9 }),
    ];
    await tick();
    await cancelTask(ctx, { id: first.id });
    await tick();
    expect((await readTask(first.id)).status).toBe("canceled");
    expect((await readTask(next.id)).status).toBe("working");
    await tick(2 * MINUTES_MS);
    expect((await readTask(next.id)).status).toBe("completed");
  });

  it("ask before they call tools, a limited number of questions, and do what people approved once", async () => {
    const pending = () => ctx.db.approval.findMany({ where: { status: "pending" } });
    while ((await pending()).length < 4) await tick();
    for (let turn = 0; turn < 5; turn++) await tick();
    expect(await pending()).toHaveLength(4);
    const asked = (await pending()).find(({ persons }) => persons === 1);
    await approve(server, ctx.workspaceId, asked?.id ?? "");
    await tick();
    await tick();
    const executions = await ctx.db.execution.findMany({ where: { approvalId: asked?.id ?? "" } });
    expect(executions).toMatchObject([{ status: "completed", agentId: asked?.agentId }]);
    const outcomes = await ctx.db.decision.findMany({ select: { outcome: true }, distinct: ["outcome"] });
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["allow", "ask", "deny"]);
  });

  it("create consistent tasks", async () => {
    for (let turn = 0; turn < 12; turn++) await tick(1000 * (10 + turn));
    const own = await listOwnTasks();
    expect(own.length).toBeGreaterThan(0);
    await tick(2 * MINUTES_MS);
    await tick(2 * MINUTES_MS);
    const done = own.map(({ id }) => readTask(id));
    for (const { status, output } of await Promise.all(done)) {
      expect(["submitted", "working", "input_required", "completed", "failed"]).toContain(status);
      if (status === "completed") expect(output).not.toEqual({ summary: "Done." });
    }
  });

  it("create none while twelve wait", async () => {
    const waiting: { id: string }[] = [];
    for (let place = 0; place < 12; place++)
      waiting.push(await createTask(ctx, { title: "For nobody", queue: "nobody" }));
    const before = await listOwnTasks();
    for (let turn = 0; turn < 12; turn++) await tick(1000 * (10 + turn));
    expect(await listOwnTasks()).toHaveLength(before.length);
    for (const { id } of waiting) await cancelTask(ctx, { id });
  });

  it("ask questions, and continue with the answer", async () => {
    const worker = openDemoAgent(ctx, await readAgent("incident-analyst"));
    const { id } = await createTask(ctx, { title: "A riddle", queue: "riddles" });
    const claim = await claimTask(worker, { queues: ["riddles"] });
    if (claim === null) throw new Error("nothing to claim");
    const job = { ...toOfficeJob(claim, new Date(atMs)), ending: "ask" as const };
    const later = new Date(atMs + 2 * MINUTES_MS);
    expect(await continueJob(worker, job, later)).toBe(true);
    const { questionId, status } = await readTask(id);
    expect(status).toBe("input_required");
    expect(await continueJob(worker, job, later)).toBe(true);
    expect((await readTask(id)).status).toBe("input_required");
    await sendMessage(ctx, { kind: "answer", replyToId: questionId ?? "", parts: [{ text: "Yes." }] });
    expect(await continueJob(worker, job, later)).toBe(false);
    expect((await readTask(id)).status).toBe("completed");
  });

  it("confirm an emergency stop, do nothing during it, and continue afterwards", async () => {
    for (let turn = 0; turn < 12; turn++) await tick(2 * MINUTES_MS);
    const { id } = await createTask(ctx, { title: "Weigh it", queue: "forecasts", priority: 9 });
    await tick();
    expect((await readTask(id)).status).toBe("working");
    await emergencyStop(ctx, { reason: "Smoke" });
    const next = await createTask(ctx, { title: "Not yet", queue: "forecasts", priority: 9 });
    await tick();
    expect((await readTask(id)).status).toBe("canceled");
    const before = await ctx.db.task.count();
    for (let turn = 0; turn < 12; turn++) await tick(10_000 + turn);
    expect(await ctx.db.task.count()).toBe(before);
    expect((await readTask(next.id)).status).toBe("submitted");
    const { id: worker } = await readAgent("demand-forecast");
    expect((await readStopStates(ctx, [worker])).get(worker)).toBe("confirmed");
    await releaseEmergencyStop(ctx, { reason: "All clear" });
    await tick();
    expect((await readTask(next.id)).status).toBe("working");
  });

  it("get commands while those of the month are written, with other numbers", async () => {
    const world = await loadWorld(ctx);
    const rows = agentCommands
      .buildRows(world, 0)
      .filter(({ taskId, missionId }) => taskId === null && missionId === null);
    const [first] = rows;
    if (first === undefined) throw new Error("the month begins without commands");
    const where = { agentId: first.agentId };
    const { _max } = await ctx.db.agentCommand.aggregate({ where, _max: { seq: true } });
    const issued = { ...first, id: crypto.randomUUID(), seq: Number(_max.seq ?? 0) + 1 };
    const held = await holdLock(server.database, "SELECT FROM agent WHERE id = $1 FOR NO KEY UPDATE", [
      first.agentId,
    ]);
    await held.query(
      "INSERT INTO agent_command SELECT * FROM jsonb_populate_record(NULL::agent_command, $1::jsonb)",
      [JSON.stringify(toColumns(issued))],
    );
    const writing = ctx.transaction((tx) => agentCommands.insert(tx, rows, world));
    await held.waiters(1);
    await held.release();
    await writing;
    expect(await ctx.db.agentCommand.count({ where: { id: { in: rows.map(({ id }) => id) } } })).toBe(
      rows.length,
    );
  });
});

function toColumns(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [toColumnName(field), value]));
}
