import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addEvalResults } from "../../../src/domain/eval-runs/add-eval-results.ts";
import { createEvalRun } from "../../../src/domain/eval-runs/create-eval-run.ts";
import { findItemTraces, toItemKey } from "../../../src/domain/traces/find-item-traces.ts";
import { listTraces } from "../../../src/domain/traces/list-traces.ts";
import { readTraceResults } from "../../../src/domain/traces/read-trace-results.ts";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;
let runId: string;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  ({ id: runId } = await createEvalRun(scene.system, { suite: "refunds", name: "Nightly" }));
});

async function send(itemKey: string | null, evalRunId = runId): Promise<string> {
  const traceId = newTraceId();
  const attributes = [
    textAttribute("aos.eval.run_id", evalRunId),
    ...(itemKey === null ? [] : [textAttribute("aos.eval.item_key", itemKey)]),
  ];
  await sendSpans(scene.agent, [createSpan({ traceId, attributes })]);
  return traceId;
}

async function readOne(traceId: string) {
  const id = toTraceUuid(traceId);
  return (await readTraceResults(scene.system, [id])).get(id) ?? [];
}

describe("a trace that names an item of an evaluation run", () => {
  it("has its result, whichever comes first, and the result has the newest trace", async () => {
    const before = await send("refund-1");
    await addEvalResults(scene.system, { runId, results: [{ itemKey: "refund-1", status: "failed" }] });
    const after = await send("refund-1");
    const result = {
      evalRunId: runId,
      evalRunName: "Nightly",
      suite: "refunds",
      itemKey: "refund-1",
      status: "failed",
    };
    for (const traceId of [before, after]) expect(await readOne(traceId)).toMatchObject([result]);
    const key = toItemKey({ evalRunId: runId, itemKey: "refund-1" });
    expect(await findItemTraces(scene.system, [key, `${runId} other`])).toEqual(new Map([[key, after]]));
    const { nodes } = await listTraces(scene.system, {}, { evalRunId: runId, plumbing: true });
    expect(nodes.map(({ evalItemKey }) => evalItemKey)).toEqual(["refund-1", "refund-1"]);
  });

  it("has the results that name it, once", async () => {
    const traceId = await send("refund-1");
    const other = await createEvalRun(scene.system, { suite: "refunds", name: "Again" });
    const item = { itemKey: "refund-1", status: "passed", traceId } as const;
    await addEvalResults(scene.system, { runId, results: [item] });
    await addEvalResults(scene.system, { runId: other.id, results: [{ ...item, itemKey: "x" }] });
    expect(await readOne(traceId)).toMatchObject([
      { evalRunName: "Again", itemKey: "x" },
      { evalRunName: "Nightly", itemKey: "refund-1" },
    ]);
  });

  it("names none of another workspace, and none without the item", async () => {
    const stranger = await createTraceScene(server);
    const theirs = await createEvalRun(stranger.system, { suite: "refunds", name: "Theirs" });
    await addEvalResults(stranger.system, {
      runId: theirs.id,
      results: [{ itemKey: "refund-1", status: "passed" }],
    });
    for (const traceId of [await send("refund-1", theirs.id), await send(null)]) {
      expect(await readOne(traceId)).toEqual([]);
    }
    const rows = await listTraces(scene.system, {}, { plumbing: true });
    expect(rows.nodes.map(({ evalRunId, evalItemKey }) => [evalRunId, evalItemKey])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("shows no result to those who may not read evaluation runs", async () => {
    const traceId = await send("refund-1");
    await addEvalResults(scene.system, { runId, results: [{ itemKey: "refund-1", status: "passed" }] });
    const reader = agentCtx(
      server,
      { id: scene.agentId, workspaceId: scene.workspaceId },
      { scopes: ["traces:read"] },
    );
    expect(await readTraceResults(reader, [toTraceUuid(traceId)])).toEqual(new Map());
  });
});
