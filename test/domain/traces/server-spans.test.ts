import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { placeCommand } from "../../../src/domain/agent-commands/command-span.ts";
import { deliverAgentCommands } from "../../../src/domain/agent-commands/deliver-agent-commands.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { toTraceparent } from "../../../src/domain/kernel/server-span.ts";
import { parseTraceparent } from "../../../src/domain/kernel/traceparent.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { sweepQueuedSpans } from "../../../src/domain/traces/sweep-queued-spans.ts";
import { createSpan } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readServerSpans } from "../../support/server-spans.ts";
import { readTraceSums } from "../../support/stored-spans.ts";
import { type TraceScene, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

/** A caller's span. */
const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

let server: QuietServices;
let scene: TraceScene;
let agent: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  agent = scene.agent;
});

/** The context of a request with a traceparent. */
function within(ctx: Ctx): Ctx {
  return openCtx(ctx.services, { ...ctx, traceparent: toTraceparent(CALLER) }, ctx.now);
}

async function readSpans() {
  return readServerSpans(server, scene.workspaceId);
}

async function claim() {
  const claimed = await claimTask(agent, {});
  if (claimed === null) throw new Error("nothing to claim");
  const { task, lease } = claimed;
  return { task, lease, held: { id: task.id, leaseToken: lease.token } };
}

async function countQueued(): Promise<number> {
  const rows = await server.database.query("SELECT 1 FROM queued_span WHERE workspace_id = $1", [
    scene.workspaceId,
  ]);
  return rows.length;
}

describe("run_task", () => {
  it("is a task's attempt from its claim on, in the task's own trace, which the claim tells", async () => {
    const { id } = await createTask(agent, { title: "Pay", queue: "default" });
    expect(await readSpans()).toEqual([]);
    const { task, lease, held } = await claim();
    expect(task.traceId).toBe(id.replaceAll("-", ""));
    const [open] = await readSpans();
    expect(open).toMatchObject({
      ...{ name: "run_task", op: "agent", status: "unset", parentSpanId: null, agentId: scene.agentId },
      ...{
        endedAt: null,
        startedAt: task.claimedAt?.toISOString(),
        place: parseTraceparent(lease.traceparent),
      },
      attributes: { "aos.task_id": id, "aos.task.queue": "default" },
    });
    const done = await completeTask(agent, { ...held, output: 1 });
    expect(await readSpans()).toEqual([
      {
        ...open,
        ...{ status: "ok", endedAt: done.finishedAt?.toISOString() },
        attributes: { ...open?.attributes, "aos.task.status": "completed" },
      },
    ]);
    const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
    expect(stored).toEqual(counted);
    expect(stored).toMatchObject([{ span_count: 1, open_count: 0, root_name: "run_task", status: "ok" }]);
  });

  it("is within the span of the task's creator", async () => {
    await createTask(within(agent), { title: "Pay" });
    const { task } = await claim();
    expect(task.traceId).toBe(CALLER.traceId);
    const [span] = await readSpans();
    expect(span).toMatchObject({ place: { traceId: CALLER.traceId }, parentSpanId: CALLER.spanId });
  });

  it("is one span for each attempt, and says why it failed", async () => {
    const start = new Date();
    const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
    agent.now = start;
    await createTask(agent, { title: "Pay" });
    await failTask(agent, { ...(await claim()).held, error: { code: "declined", message: "No money" } });
    agent.now = at(100);
    await releaseTask(agent, (await claim()).held);
    agent.now = at(200);
    await claim();
    await sweepTasks(server.services, at(300));
    agent.now = at(400);
    await claim();
    const spans = await readSpans();
    expect(spans.map(({ status, statusMessage, endedAt }) => [status, statusMessage, endedAt])).toEqual([
      ["error", "declined", start.toISOString()],
      ["unset", null, at(100).toISOString()],
      ["error", "lease_expired", at(300).toISOString()],
      ["unset", null, null],
    ]);
    expect(new Set(spans.map(({ place }) => place.spanId)).size).toBe(4);
    expect(new Set(spans.map(({ place }) => place.traceId)).size).toBe(1);
  });

  it("is not written for heartbeats", async () => {
    await createTask(agent, { title: "Pay" });
    const { held } = await claim();
    await sweepQueuedSpans(server.services);
    await heartbeatTask(agent, held);
    expect(await countQueued()).toBe(0);
  });
});

describe("agent_command", () => {
  async function issue(ctx: Ctx, fields: { taskId?: string } = {}) {
    const { commands } = await issueAgentCommands(ctx, {
      ...{ agentId: scene.agentId, type: "custom.refund" },
      ...fields,
    });
    const [command] = commands;
    if (command === undefined) throw new Error("no command was issued");
    return command;
  }

  it("is a command from its issue to its end, with the steps between", async () => {
    const command = await issue(within(agent));
    expect(await readSpans()).toMatchObject([
      {
        ...{ name: "agent_command custom.refund", op: "workflow", status: "unset", endedAt: null },
        ...{ place: placeCommand(command), parentSpanId: CALLER.spanId, events: ["queued"] },
      },
    ]);
    expect(placeCommand(command).traceId).toBe(CALLER.traceId);
    await deliverAgentCommands(agent, { agentId: scene.agentId, limit: 10 });
    expect(await readSpans()).toMatchObject([{ events: ["queued", "delivered"], endedAt: null }]);
    await acknowledgeAgentCommand(agent, { id: command.id, outcome: "accepted" });
    const { finishedAt } = await reportAgentCommandResult(agent, { id: command.id, status: "succeeded" });
    expect(await readSpans()).toMatchObject([
      {
        ...{ status: "ok", endedAt: finishedAt?.toISOString() },
        events: ["queued", "delivered", "acknowledged", "finished"],
      },
    ]);
  });

  it("has a trace of its own, or is within its task's attempt", async () => {
    const alone = await issue(agent);
    await createTask(agent, { title: "Pay" });
    const { task, lease } = await claim();
    await issue(agent, { taskId: task.id });
    const spans = (await readSpans()).filter(({ name }) => name !== "run_task");
    const attempt = parseTraceparent(lease.traceparent);
    expect(spans.map(({ place: { traceId }, parentSpanId }) => [traceId, parentSpanId])).toEqual([
      [alone.id.replaceAll("-", ""), null],
      [attempt?.traceId, attempt?.spanId],
    ]);
  });

  it("says how a command ended that did not succeed", async () => {
    const command = await issue(agent);
    await deliverAgentCommands(agent, { agentId: scene.agentId, limit: 10 });
    await acknowledgeAgentCommand(agent, { id: command.id, outcome: "rejected" });
    await cancelAgentCommand(agent, { id: (await issue(agent)).id });
    const ends = (await readSpans()).map(({ status, statusMessage }) => [status, statusMessage]);
    expect(ends).toEqual([
      ["error", "rejected"],
      ["unset", null],
    ]);
  });
});

describe("a span of the service", () => {
  it("joins the spans that an agent sends, in any order, and can't be changed by them", async () => {
    await createTask(agent, { title: "Pay" });
    const { lease, held } = await claim();
    const place = parseTraceparent(lease.traceparent);
    const work = createSpan({ traceId: place?.traceId, parentSpanId: place?.spanId });
    await sendSpans(agent, [work]);
    await completeTask(agent, held);
    const [span] = await readSpans();
    const forged = createSpan({ ...place, name: "forged", status: { code: 2 } });
    expect(await sendSpans(agent, [forged, { ...work, name: "changed" }])).toEqual({
      ...{ accepted: 1, rejected: 1, dropped: 0, message: "span 1: it is a span of the service itself" },
    });
    expect(await readSpans()).toEqual([span]);
    const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
    expect(stored).toEqual(counted);
    expect(stored).toMatchObject([{ span_count: 2, root_name: "run_task", status: "ok" }]);
  });

  it("replaces what an agent stored under its id before", async () => {
    await createTask(agent, { title: "Pay" });
    const { lease } = await claim();
    const attributes = [{ key: "forged", value: { stringValue: "yes" } }];
    await sendSpans(agent, [createSpan({ ...parseTraceparent(lease.traceparent), attributes })]);
    const [span] = await readSpans();
    expect(span).toMatchObject({
      name: "run_task",
      endedAt: null,
      attributes: { "aos.task.queue": "default" },
    });
    expect(span?.attributes).not.toHaveProperty("forged");
    const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
    expect(stored).toEqual(counted);
  });

  it("counts neither for the quota of spans nor as usage", async () => {
    await createTask(agent, { title: "Pay" });
    await claim();
    expect(await readSpans()).toHaveLength(1);
    const ofDay = await server.database.query("SELECT 1 FROM span_day WHERE workspace_id = $1", [
      scene.workspaceId,
    ]);
    expect(ofDay).toEqual([]);
  });

  it("is written where the partition of its day is missing", async () => {
    agent.now = new Date("2031-05-05T10:00:00Z");
    await createTask(agent, { title: "Pay" });
    await claim();
    await sweepQueuedSpans(server.services, agent.now);
    expect(await readSpans()).toMatchObject([{ startedAt: "2031-05-05T10:00:00.000Z" }]);
  });
});
