import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { remapTraces } from "../../../src/domain/traces/remapping/remap-traces.ts";
import { getErrorCode } from "../../support/callers.ts";
import { createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readTraceSums } from "../../support/stored-spans.ts";
import {
  type TraceScene,
  createCallSpan,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";

const ALWAYS = { from: new Date(0), until: new Date("2100-01-01T00:00:00Z") };

let server: QuietServices;
let scene: TraceScene;
let admin: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  admin = asRole("admin");
});

function asRole(role: Role): Ctx {
  return personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role });
}

async function readSpans(): Promise<object[]> {
  return server.database.query(
    `SELECT op, usage_role, model, input_tokens::int AS input, cost_usd::float8 AS cost, attributes, agent_id, credential_agent_id,
       redactions, dropped, (SELECT c.input FROM span_content c WHERE c.workspace_id = s.workspace_id AND c.day = s.day
         AND c.trace_id = s.trace_id AND c.span_id = s.span_id) AS content
     FROM span s WHERE workspace_id = $1 ORDER BY trace_id, span_id`,
    [scene.workspaceId],
  );
}

async function readCharged(): Promise<object[]> {
  return server.database.query(
    `SELECT dimension, sum(calls)::int AS calls, sum(cost_usd)::float8 AS cost FROM usage_bucket
     WHERE workspace_id = $1 AND period = 'all' GROUP BY dimension ORDER BY dimension`,
    [scene.workspaceId],
  );
}

/** Makes stored spans what a version would have stored that doesn't know their sender. */
async function forget(): Promise<void> {
  await server.database.query(
    `UPDATE span SET op = 'other', usage_role = 'none', model = NULL, input_tokens = NULL, output_tokens = NULL, cost_usd = NULL,
       cost_source = NULL, price_id = NULL WHERE workspace_id = $1`,
    [scene.workspaceId],
  );
  await server.database.query(
    `UPDATE trace SET llm_count = 0, work_count = 0, plumbing = true, input_tokens = 0, output_tokens = 0, cost_usd = 0,
       unpriced_calls = 0, models = '{}' WHERE workspace_id = $1`,
    [scene.workspaceId],
  );
  for (const table of ["usage_call", "usage_bucket", "usage_trace"])
    await server.database.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [scene.workspaceId]);
}

describe("remapTraces", () => {
  it("finds what an earlier version did not know, and charges it once", async () => {
    const attributes = [
      textAttribute("user.email", "ada@example.com"),
      textAttribute("gen_ai.input.messages", "Hi"),
    ];
    const call = createCallSpan(
      { model: "gpt-5", input: 1000, output: 200, attributes },
      { traceId: newTraceId() },
    );
    await sendSpans(scene.agent, [call, createSpan({ traceId: newTraceId(), name: "ada@example.com" })]);
    const [spans, charged] = [await readSpans(), await readCharged()];
    expect(charged).not.toEqual([]);
    await forget();
    expect(await readSpans()).not.toEqual(spans);
    for (const _ of [1, 2]) {
      expect(await remapTraces(admin, ALWAYS)).toEqual({ spans: 2, endCursor: null });
      expect(await readSpans()).toEqual(spans);
      expect(await readCharged()).toEqual(charged);
    }
    const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
    expect(stored).toEqual(counted);
  });

  it("leaves whose a span is, and goes on where it ended", async () => {
    const sender = await createOtherSender(server, scene, ["traces:write"]);
    const traceId = newTraceId();
    await sendSpans(
      scene.agent,
      Array.from({ length: 520 }, () => createSpan({ traceId })),
    );
    await sendSpans(sender.ctx, [createSpan({ traceId })]);
    const before = await readSpans();
    const first = await remapTraces(admin, ALWAYS);
    expect(first).toEqual({ spans: 500, endCursor: expect.any(String) });
    expect(await remapTraces(admin, { ...ALWAYS, after: first.endCursor })).toEqual({
      spans: 21,
      endCursor: null,
    });
    expect(await readSpans()).toEqual(before);
  });

  it("is for a time, and one workspace", async () => {
    const other = await createTraceScene(server);
    for (const ctx of [scene.agent, other.agent])
      await sendSpans(ctx, [createSpan({ traceId: newTraceId() })]);
    expect(await remapTraces(admin, { from: ALWAYS.from, until: new Date(1) })).toEqual({
      spans: 0,
      endCursor: null,
    });
    expect(await remapTraces(admin, ALWAYS)).toMatchObject({ spans: 1 });
  });

  it("is for admins, and needs a time", async () => {
    for (const ctx of [asRole("operator"), scene.agent])
      expect(await getErrorCode(remapTraces(ctx, ALWAYS))).toBe("forbidden");
    for (const wrong of [
      { from: ALWAYS.until, until: ALWAYS.from },
      { ...ALWAYS, after: "x" },
    ])
      expect(await getErrorCode(remapTraces(admin, wrong))).toBe("validation_failed");
  });
});
