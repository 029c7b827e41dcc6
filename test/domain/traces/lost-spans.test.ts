import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { STATEMENTS } from "../../../src/db/sql.ts";
import { openCtx } from "../../../src/domain/kernel/context.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { listTraces } from "../../../src/domain/traces/list-traces.ts";
import { findTracesWithLost } from "../../../src/domain/traces/lost-spans.ts";
import { readSkeleton } from "../../../src/domain/traces/read-skeleton.ts";
import { readSpan } from "../../../src/domain/traces/read-span.ts";
import { sweepQueuedSpans } from "../../../src/domain/traces/sweep-queued-spans.ts";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { createSpan, newTraceId } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import {
  type TraceScene,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";

const [ENDED, OPEN, OTHER] = ["00000000000000a1", "00000000000000a2", "00000000000000a3"];
const MINUTE_MS = 60_000;

let quiet: QuietServices;
let scene: TraceScene;
let traceId: string;
let id: string;
let start: Date;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  scene = await createTraceScene(quiet);
  traceId = newTraceId();
  id = toTraceUuid(traceId);
  start = new Date();
  await see(scene.agentId, 0);
});

/** The agent makes a request, so many minutes after the start. */
async function see(agentId: string, minutes: number): Promise<void> {
  const at = new Date(start.getTime() + minutes * MINUTE_MS);
  await quiet.database.query("UPDATE agent SET last_seen_at = $2 WHERE id = $1", [agentId, at]);
}

/** What is read so many minutes after the start. */
async function readAfter(minutes: number) {
  const now = new Date(start.getTime() + minutes * MINUTE_MS);
  const ctx = openCtx(quiet.services, scene.system, now);
  const { id: ids, status } = await readSkeleton(ctx, { id });
  const one = await readSpan(ctx, { id, spanId: OPEN });
  const lost = await findTracesWithLost(ctx, [id]);
  return {
    spans: Object.fromEntries(ids.map((each, at) => [each, status[at]])),
    one: one?.status,
    lost: lost.has(id),
  };
}

function createOpen(spanId: string) {
  return createSpan({ traceId, spanId, endTimeUnixNano: undefined });
}

describe("listTraces", () => {
  it("finds traces with and without lost spans", async () => {
    const other = await createOtherSender(quiet, scene);
    const [ended, waits] = [newTraceId(), newTraceId()];
    await sendSpans(scene.agent, [createOpen(OPEN), createSpan({ traceId: ended })]);
    await sendSpans(other.ctx, [createSpan({ traceId: waits, endTimeUnixNano: undefined })]);
    await see(other.id, 10);
    async function find(lost: boolean, minutes: number): Promise<Set<string>> {
      const now = new Date(start.getTime() + minutes * MINUTE_MS);
      const ctx = openCtx(quiet.services, scene.system, now);
      const { nodes } = await listTraces(ctx, { first: 10 }, { lost, plumbing: true });
      return new Set(nodes.map((trace) => trace.id));
    }
    const [endedId, waitsId] = [toTraceUuid(ended), toTraceUuid(waits)];
    expect(await find(true, 4.9)).toEqual(new Set());
    expect(await find(true, 5.1)).toEqual(new Set([id]));
    expect(await find(false, 5.1)).toEqual(new Set([endedId, waitsId]));
    expect(await find(true, 15.1)).toEqual(new Set([id, waitsId]));
  });
});

describe("an open span", () => {
  it("is lost while the agent that sent it is offline", async () => {
    await sendSpans(scene.agent, [createSpan({ traceId, spanId: ENDED }), createOpen(OPEN)]);
    const open = { spans: { [ENDED]: "unset", [OPEN]: "unset" }, one: "unset", lost: false };
    const lost = { spans: { [ENDED]: "unset", [OPEN]: "lost" }, one: "lost", lost: true };
    expect(await readAfter(4.9)).toEqual(open);
    expect(await readAfter(5.1)).toEqual(lost);
    await see(scene.agentId, 6);
    expect(await readAfter(7)).toEqual(open);
    expect(await readAfter(12)).toEqual(lost);
    await sendSpans(scene.agent, [createSpan({ traceId, spanId: OPEN, status: { code: 1 } })]);
    expect(await readAfter(12)).toEqual({
      spans: { [ENDED]: "unset", [OPEN]: "ok" },
      one: "ok",
      lost: false,
    });
  });

  it("depends on its own sender, not on others of its trace", async () => {
    const other = await createOtherSender(quiet, scene);
    await sendSpans(scene.agent, [createOpen(OPEN)]);
    await sendSpans(other.ctx, [createOpen(OTHER)]);
    await see(other.id, 5);
    expect(await readAfter(6)).toEqual({
      spans: { [OPEN]: "lost", [OTHER]: "unset" },
      one: "lost",
      lost: true,
    });
    await see(scene.agentId, 5);
    await see(other.id, 0);
    expect(await readAfter(6)).toEqual({
      spans: { [OPEN]: "unset", [OTHER]: "lost" },
      one: "unset",
      lost: true,
    });
  });

  it("of the service never is", async () => {
    ({ id } = await createTask(scene.agent, { title: "Pay" }));
    await claimTask(scene.agent, {});
    await sweepQueuedSpans(quiet.services);
    const { spans, lost } = await readAfter(60);
    expect([Object.values(spans), lost]).toEqual([["unset"], false]);
    expect(await readSkeleton(scene.system, { id })).toMatchObject({ service: [true] });
  });
});

describe("findTracesWithLost", () => {
  it("looks at few of the spans of a trace, by an index", async () => {
    const spans = Array.from({ length: 3000 }, () => createSpan({ traceId }));
    await sendSpans(scene.agent, [...spans, createOpen(OPEN)]);
    await quiet.database.query("ANALYZE span, trace");
    const statement = STATEMENTS.find(({ statement: { text } }) => text.includes("open.credential_agent_id"));
    const plan = await quiet.database.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${statement?.statement.text
        .replaceAll("$1", `'${scene.workspaceId}'`)
        .replaceAll("$2", `'{${id}}'`)
        .replaceAll("$3", "null")}`,
    );
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toMatch(/Index (Only )?Scan using span_\d+_workspace_id_day_trace_id_idx/);
  });
});
