import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { ingestTelemetry } from "../../../src/domain/traces/ingest-telemetry.ts";
import { createTraceCleanups } from "../../../src/domain/traces/trace-cleanups.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { decode } from "../../../compat/otlp/decode.ts";
import {
  CUMULATIVE,
  DELTA,
  createMetricsRequest,
  createPoint,
  createSum,
} from "../../support/agent-metrics.ts";
import { decodeSpans } from "../../support/decode-spans.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { LONG_AGO, createRequest, createSpan, textAttribute } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readStoredSpans } from "../../support/stored-spans.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

/** A workspace with a span of each day. */
async function createScene(days: readonly string[]) {
  const { workspaceId } = await server.createWorkspace();
  const [agent] = await server.database.query<{ id: string }>(
    "SELECT id FROM agent WHERE workspace_id = $1",
    [workspaceId],
  );
  for (const day of days) {
    const ctx = agentCtx(server, { id: agent?.id ?? "", workspaceId }, { now: new Date(`${day}T12:00:00Z`) });
    const span = createSpan({
      name: day,
      ...LONG_AGO,
      attributes: [textAttribute("gen_ai.prompt", day), textAttribute("gen_ai.usage.input_tokens", "1")],
    });
    const bytes = Buffer.from(JSON.stringify(createRequest([span], [textAttribute("day", day)])));
    await ingestTelemetry(ctx, { read: (options) => Promise.resolve(decodeSpans(bytes, "json", options)) });
  }
  return { workspaceId, system: server.systemCtx(workspaceId) };
}

describe("the retention of traces", () => {
  it("deletes traces of workspaces that keep them shorter than others, and content earlier", async () => {
    const days = ["2026-06-01", "2026-06-02", "2026-06-05", "2026-06-08"];
    const [usual, shorter] = [await createScene(days), await createScene(days)];
    await updateWorkspace(shorter.system, { traceRetentionDays: 6, contentRetentionDays: 3 });
    const clean = async () => {
      const now = new Date("2026-06-08T00:00:00Z");
      return cleanUp(server.services, createTraceCleanups(server.services, now));
    };
    expect(await clean()).toMatchObject({
      deleted: {
        trace: 1,
        span: 1,
        span_content: 2,
        span_name: 1,
        span_resource: 1,
        span_day: 6,
        usage_call: 1,
        usage_session: 1,
        usage_trace: 1,
      },
      failures: [],
    });
    expect((await clean()).deleted).toEqual({});
    const read = async ({ workspaceId }: typeof usual) => {
      const spans = await readStoredSpans(server.database, workspaceId);
      return Object.fromEntries(spans.map(({ name, input }) => [name, input !== null]));
    };
    expect(await read(usual)).toEqual(Object.fromEntries(days.map((day) => [day, true])));
    expect(await read(shorter)).toEqual({ "2026-06-02": false, "2026-06-05": true, "2026-06-08": true });
  });

  it("forgets the points of a delta after a day, and a sum that grows 30 days after it last came", async () => {
    const { workspaceId } = await createScene([]);
    const [agent] = await server.database.query<{ id: string }>(
      "SELECT id FROM agent WHERE workspace_id = $1",
      [workspaceId],
    );
    const ctx = agentCtx(
      server,
      { id: agent?.id ?? "", workspaceId },
      { now: new Date("2026-12-01T12:00:00Z") },
    );
    const metrics = [DELTA, CUMULATIVE].map((temporality) =>
      createSum("claude_code.cost.usage", [createPoint({}, { asDouble: 1 }, { temporality })], temporality),
    );
    const bytes = Buffer.from(JSON.stringify(createMetricsRequest(metrics)));
    const body = { bytes, signal: "metrics", encoding: "json" } as const;
    await ingestTelemetry(ctx, { read: (options) => Promise.resolve(decode(body, options)) });
    const deleted: number[] = [];
    for (const day of ["2026-12-02", "2026-12-03", "2026-12-31", "2027-01-01"]) {
      const cleanups = createTraceCleanups(server.services, new Date(`${day}T00:00:00Z`));
      deleted.push((await cleanUp(server.services, cleanups)).deleted["metric_series"] ?? 0);
    }
    expect(deleted).toEqual([0, 1, 0, 1]);
  });

  it("keeps sums of usage for 400 days, and those of all time", async () => {
    const { workspaceId } = await createScene(["2025-06-01", "2025-06-02"]);
    const now = new Date("2026-07-07T00:00:00Z");
    await cleanUp(server.services, createTraceCleanups(server.services, now));
    const rows = await server.database.query(
      `SELECT period::text, start::date::text AS start, sum(calls)::int AS calls FROM usage_bucket
       WHERE workspace_id = $1 AND dimension = 'workspace' GROUP BY period, start ORDER BY 1`,
      [workspaceId],
    );
    expect(rows).toEqual([
      { period: "all", start: "1970-01-01", calls: 2 },
      { period: "day", start: "2025-06-02", calls: 1 },
      { period: "hour", start: "2025-06-02", calls: 1 },
    ]);
  });
});
