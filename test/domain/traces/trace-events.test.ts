import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listEvents } from "../../../src/domain/event-log/list-events.ts";
import { listRecentEvents } from "../../../src/domain/event-log/list-recent-events.ts";
import { listSubjectEvents } from "../../../src/domain/event-log/list-subject-events.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { startTraceEvents } from "../../../src/domain/traces/start-trace-events.ts";
import { sweepQueuedSpans } from "../../../src/domain/traces/sweep-queued-spans.ts";
import { toTraceId, toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { runWhileEventsBreak } from "../../support/broken-events.ts";
import { holdLock } from "../../support/locked-table.ts";
import { createSpan, newTraceId } from "../../support/otlp.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let quiet: QuietServices;
let scene: TraceScene;
let start: string;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  scene = await createTraceScene(quiet);
  ({ cursor: start } = await listEvents(scene.system, {}));
});

/** Appends what is due, and reads it. */
async function readEvents(reader: Ctx = scene.system) {
  await startTraceEvents(quiet.services).stop();
  const { events, cursor } = await listEvents(reader, { after: start, types: ["trace.*"], first: 500 });
  start = cursor;
  return events.map(({ type, subjectType, subjectId, agentId, data }) => ({
    ...{ type, subjectType, subjectId, agentId, data },
  }));
}

function toEvent(traceId: string, data: { status: string; generation: number }) {
  return {
    ...{ type: "trace.updated", subjectType: "trace", subjectId: toTraceUuid(traceId) },
    ...{ agentId: scene.agentId, data },
  };
}

const OPEN = { endTimeUnixNano: undefined };
const FAILED = { status: { code: 2 } };

describe("trace.updated", () => {
  it("says that a trace began, failed, ended, or has its root, and nothing else", async () => {
    const traceId = newTraceId();
    const root = { traceId, spanId: "00000000000000a1" };
    const child = { traceId, spanId: "00000000000000a2", parentSpanId: "00000000000000a1" };
    await sendSpans(scene.agent, [createSpan({ ...child, ...OPEN })]);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "unset", generation: 1 })]);
    await sendSpans(scene.agent, [createSpan({ ...child, spanId: "00000000000000a3" })]);
    expect(await readEvents()).toEqual([]);
    await sendSpans(scene.agent, [createSpan({ ...root, ...OPEN })]);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "unset", generation: 3 })]);
    await sendSpans(scene.agent, [createSpan({ ...child, ...FAILED })]);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "error", generation: 4 })]);
    await sendSpans(scene.agent, [createSpan(root)]);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "error", generation: 5 })]);
    await sendSpans(scene.agent, [createSpan(root)]);
    expect(await readEvents()).toEqual([]);
  });

  it("comes for the service's own spans, and once for what happened within a second", async () => {
    const { id } = await createTask(scene.agent, { title: "Pay" });
    const claimed = await claimTask(scene.agent, {});
    await sweepQueuedSpans(quiet.services);
    const traceId = toTraceId(id);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "unset", generation: 1 })]);
    await completeTask(scene.agent, { id, leaseToken: claimed?.lease.token ?? "" });
    const child = { traceId, spanId: "00000000000000a4", parentSpanId: "00000000000000a1" };
    await sendSpans(scene.agent, [createSpan({ ...child, ...FAILED })]);
    await sweepQueuedSpans(quiet.services);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "ok", generation: 3 })]);
  });

  it("is one event of the workspace for more than 200 traces", async () => {
    const spans = Array.from({ length: 201 }, () => createSpan({ traceId: newTraceId() }));
    await sendSpans(scene.agent, spans.slice(1));
    expect(await readEvents()).toHaveLength(200);
    await sendSpans(
      scene.agent,
      spans.map((span) => ({ ...span, traceId: newTraceId() })),
    );
    expect(await readEvents()).toEqual([
      {
        ...{ type: "trace.updated", subjectType: "workspace", subjectId: scene.workspaceId },
        ...{ agentId: null, data: {} },
      },
    ]);
  });

  it("comes within seconds, for a locked workspace later", async () => {
    const job = startTraceEvents(quiet.services);
    const other = await createTraceScene(quiet);
    const lock = await holdLock(
      quiet.database,
      "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE",
      [scene.workspaceId],
    );
    await sendSpans(scene.agent, [createSpan({ traceId: newTraceId() })]);
    await sendSpans(other.agent, [createSpan({ traceId: newTraceId() })]);
    const count = async ({ system }: TraceScene) =>
      await system.db.event.count({ where: { type: "trace.updated" } });
    await expect.poll(() => count(other), PATIENCE).toBe(1);
    expect(await count(scene)).toBe(0);
    await lock.release();
    await expect.poll(() => count(scene), PATIENCE).toBe(1);
    await job.stop();
  });

  it("is not among what happened lately, or to the task whose id the trace has", async () => {
    const { id } = await createTask(scene.agent, { title: "Pay" });
    await sendSpans(scene.agent, [createSpan({ traceId: toTraceId(id) })]);
    expect(await readEvents()).toHaveLength(1);
    const told = [await listRecentEvents(scene.system, { first: 1 })];
    told.push(await listSubjectEvents(scene.system, { subjectId: id }));
    expect(told.map((events) => events.map(({ type }) => type))).toEqual([
      ["task.created"],
      ["task.created"],
    ]);
  });

  it("is tried again if it can't be written", async () => {
    const traceId = newTraceId();
    await sendSpans(scene.agent, [createSpan({ traceId })]);
    await runWhileEventsBreak(quiet.database, startTraceEvents(quiet.services).stop);
    expect(await readEvents()).toEqual([toEvent(traceId, { status: "unset", generation: 1 })]);
  });

  it("is for those who may read traces", async () => {
    await sendSpans(scene.agent, [createSpan({ traceId: newTraceId() })]);
    const agent = (...scopes: Scope[]) =>
      agentCtx(quiet, { id: scene.agentId, workspaceId: scene.workspaceId }, { scopes });
    const after = start;
    expect(await readEvents(agent("events:read"))).toEqual([]);
    start = after;
    expect(await readEvents(agent("events:read", "traces:read"))).toHaveLength(1);
  });
});
