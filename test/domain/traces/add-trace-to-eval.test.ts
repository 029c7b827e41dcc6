import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelEvalRun } from "../../../src/domain/eval-runs/cancel-eval-run.ts";
import { createEvalRun } from "../../../src/domain/eval-runs/create-eval-run.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { addTraceToEval } from "../../../src/domain/traces/add-trace-to-eval.ts";
import { scoreTrace } from "../../../src/domain/traces/scores/score-trace.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type OtlpMessage, createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;
let operator: Ctx;
let runId: string;

const [ROOT, FIRST, LAST] = ["1111111111111111", "2222222222222222", "3333333333333333"];
const FAILED = { status: { code: 2, message: "The card was declined." } };

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  operator = personCtx(
    server,
    { id: crypto.randomUUID(), workspaceId: scene.workspaceId },
    { role: "operator" },
  );
  ({ id: runId } = await createEvalRun(scene.system, { suite: "refunds", name: "Nightly" }));
});

async function send(...spans: OtlpMessage[]): Promise<string> {
  const traceId = newTraceId();
  await sendSpans(
    scene.agent,
    spans.map((span) => createSpan({ ...span, traceId })),
  );
  return traceId;
}

function said(spanId: string | undefined, input: string | null, output: string | null): OtlpMessage {
  const attributes = [
    ...(input === null ? [] : [textAttribute("input.value", input)]),
    ...(output === null ? [] : [textAttribute("output.value", output)]),
  ];
  return { spanId, ...(spanId !== ROOT && { parentSpanId: ROOT }), attributes };
}

async function readResult(itemKey: string) {
  return scene.system.db.evalResult.findFirstOrThrow({ where: { evalRunId: runId, itemKey } });
}

describe("addTraceToEval", () => {
  it("takes what the root was given and answered, the time, the scores, and what was expected", async () => {
    const traceId = await send(said(ROOT, "Refund me.", "Done."), said(FIRST, "inner", "inner"));
    await scoreTrace(operator, { traceId, name: "quality", value: 0.5, comment: "So so." });
    await scoreTrace(operator, { traceId, spanId: FIRST, name: "of a span", value: 1 });
    await scoreTrace(operator, { traceId, name: "no number", label: "polite" });
    await scoreTrace(scene.agent, { traceId, name: "quality", value: 1 });
    const { run, updated } = await addTraceToEval(operator, {
      ...{
        traceId: traceId.toUpperCase(),
        runId,
        itemKey: "refund-5",
        status: "failed",
        expected: { paid: true },
      },
    });
    expect({ status: run.status, updated }).toEqual({ status: "running", updated: 0 });
    expect(run.resultCounts).toMatchObject({ total: 1, failed: 1 });
    expect(await readResult("refund-5")).toMatchObject({
      ...{
        status: "failed",
        traceId,
        input: { "input.value": "Refund me." },
        output: { "output.value": "Done." },
      },
      ...{ expected: { paid: true }, error: null, costUsd: null, latencyMs: expect.any(Number) },
      scores: [{ name: "quality", value: 1, annotator_kind: "CODE" }],
    });
  });

  it("takes the first question and the last answer where the root has none, and what went wrong", async () => {
    const traceId = await send(
      { spanId: ROOT, ...FAILED },
      { ...said(FIRST, "first", "early"), startTimeUnixNano: nano(-3000), endTimeUnixNano: nano(-2000) },
      { ...said(LAST, "second", "late"), startTimeUnixNano: nano(-1500), endTimeUnixNano: nano(-1000) },
    );
    await addTraceToEval(operator, { traceId, runId, status: "errored" });
    expect(await readResult(traceId)).toMatchObject({
      ...{ input: { "input.value": "first" }, output: { "output.value": "late" }, expected: null },
      error: "The card was declined.",
    });
  });

  it("takes the cost only if all of it is known", async () => {
    const models = ["gpt-5", "house-7"].map((model) =>
      createCallSpan({ model, input: 1000, output: 200 }, {}),
    );
    const [priced = {}, unpriced = {}] = models;
    const [known, partly] = [await send(priced), await send(priced, { ...unpriced, spanId: LAST })];
    for (const traceId of [known, partly])
      await addTraceToEval(operator, { traceId, runId, status: "passed" });
    expect((await readResult(known)).costUsd).toBeGreaterThan(0);
    expect((await readResult(partly)).costUsd).toBeNull();
  });

  it("replaces the item's result, and writes to the audit log that content was read", async () => {
    await updateWorkspace(scene.system, { auditContentReads: true });
    const traceId = await send(said(ROOT, "Refund me.", "Done."));
    const asked = { traceId, runId, itemKey: "refund-5" };
    await addTraceToEval(operator, { ...asked, status: "passed" });
    const { run, updated } = await addTraceToEval(operator, { ...asked, status: "failed" });
    expect({ updated, counts: run.resultCounts }).toMatchObject({
      updated: 1,
      counts: { total: 1, failed: 1 },
    });
    const read = await scene.system.db.auditEvent.findFirst({ where: { action: "trace.content_read" } });
    expect(read).toMatchObject({ targetType: "trace", changes: { eval: true } });
  });

  it("needs both scopes, a trace and an open run of the workspace, and no content that is too large", async () => {
    const traceId = await send(said(ROOT, "Refund me.", "Done."));
    const asked = { traceId, runId, status: "passed" as const };
    for (const scopes of [["eval_runs:write"], ["traces:read"]] as const) {
      const agent = agentCtx(server, { id: scene.agentId, workspaceId: scene.workspaceId }, { scopes });
      expect(await getErrorCode(addTraceToEval(agent, asked))).toBe("insufficient_scope");
    }
    const viewer = personCtx(
      server,
      { id: crypto.randomUUID(), workspaceId: scene.workspaceId },
      { role: "viewer" },
    );
    expect(await getErrorCode(addTraceToEval(viewer, asked))).toBe("forbidden");
    const other = await createTraceScene(server);
    expect(await getErrorCode(addTraceToEval(other.system, asked))).toBe("not_found");
    expect(await getErrorCode(addTraceToEval(operator, { ...asked, runId: crypto.randomUUID() }))).toBe(
      "not_found",
    );
    expect(await getErrorCode(addTraceToEval(operator, { ...asked, traceId: "5" }))).toBe(
      "validation_failed",
    );
    const long = "語".repeat(50_000);
    const attributes = [textAttribute("input.value", long), textAttribute("gen_ai.prompt", long)];
    const large = { ...asked, traceId: await send({ spanId: ROOT, attributes }) };
    expect(await getErrorCode(addTraceToEval(operator, large))).toBe("validation_failed");
    const expected = { ...asked, expected: "x".repeat(300_000) };
    expect(await getErrorCode(addTraceToEval(operator, expected))).toBe("validation_failed");
    await cancelEvalRun(scene.system, { id: runId, reason: "x" });
    expect(await getErrorCode(addTraceToEval(operator, asked))).toBe("invalid_state");
  });
});

function nano(ms: number): string {
  return `${BigInt(Date.now() + ms) * 1_000_000n}`;
}
