import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { getReadBytes } from "../../../src/domain/kernel/read-bytes.ts";
import { ingestTelemetry } from "../../../src/domain/traces/ingest-telemetry.ts";
import { readSpan, readSpanContent } from "../../../src/domain/traces/read-span.ts";
import { readSkeleton } from "../../../src/domain/traces/read-skeleton.ts";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { decodeSpans } from "../../support/decode-spans.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { recordStatements } from "../../support/recorded-statements.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
} from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let workspaceId: string;
let openAgentCtx: () => Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId } = await server.createWorkspace());
  const [primary] = await server.database.query<{ id: string }>(
    "SELECT id FROM agent WHERE workspace_id = $1",
    [workspaceId],
  );
  openAgentCtx = () => agentCtx(server, { id: primary?.id ?? "", workspaceId });
});

async function send(spans: readonly OtlpMessage[], ctx = openAgentCtx()): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(createRequest(spans)));
  await ingestTelemetry(ctx, {
    read: (options) => Promise.resolve(decodeSpans(bytes, "json", options)),
  });
}

/** The characters of the attributes of the workspace's only span, as they are read. */
async function readLength(): Promise<number> {
  const [row] = await server.database.query<{ length: number }>(
    "SELECT octet_length(attributes::text) AS length FROM span WHERE workspace_id = $1",
    [workspaceId],
  );
  return row?.length ?? 0;
}

/** Texts that compress to almost nothing. */
function createTexts(copy: number): OtlpMessage[] {
  return Array.from({ length: 4 }, (_, at) => textAttribute(`text.${copy}.${at}`, "a".repeat(60_000)));
}

describe("a span", () => {
  it("doesn't grow without end when copies of it add attributes", async () => {
    const span = createSpan();
    const lengths = [];
    for (let copy = 0; copy < 4; copy++) {
      await send([{ ...span, attributes: createTexts(copy) }]);
      lengths.push(await readLength());
    }
    expect(lengths[1]).toBeGreaterThan(400_000);
    expect(Math.max(...lengths)).toBeLessThan(600_000);
  });

  it("is not longer than its limit with numbers that PostgreSQL writes with all their digits", async () => {
    const values = Array.from({ length: 9000 }, () => ({ doubleValue: 1e308 }));
    const attributes = Array.from({ length: 10 }, (_, at) => ({
      ...{ key: `${at}`, value: { arrayValue: { values } } },
    }));
    await send([createSpan({ attributes })]);
    expect(await readLength()).toBeLessThan(300_000);
  });

  it("is counted as read with its size before compression", async () => {
    const attributes = [
      textAttribute("plain", "a".repeat(60_000)),
      textAttribute("prompt", "b".repeat(60_000)),
    ];
    const span = createSpan({ attributes });
    await send([span]);
    const asked = { id: toTraceUuid(String(span["traceId"])), spanId: String(span["spanId"]) };
    const ctx = openAgentCtx();
    await readSpan(ctx, asked);
    expect(getReadBytes(ctx)).toBeGreaterThan(60_000);
    await readSpanContent(ctx, asked);
    expect(getReadBytes(ctx)).toBeGreaterThan(120_000);
  });
});

describe("a skeleton", () => {
  it("has no long names, and is counted as read with those that it has", async () => {
    const traceId = newTraceId();
    await send([
      createSpan({ traceId, name: "é".repeat(201) }),
      createSpan({ traceId, name: "e".repeat(200) }),
    ]);
    const ctx = openAgentCtx();
    const { names } = await readSkeleton(ctx, { id: toTraceUuid(traceId) });
    expect(names.toSorted()).toEqual(["e".repeat(200), `${"é".repeat(199)}…`]);
    expect(getReadBytes(ctx)).toBeGreaterThan(400);
  });
});

describe("a trace", () => {
  /** Sends a trace, then one of its spans with a later start. @returns whether the trace starts later too. */
  async function correctTrace(others: number): Promise<boolean> {
    const [early, late] = ["1700000000000000000", "1700000001000000000"];
    const span = createSpan({ startTimeUnixNano: early });
    const { traceId } = span;
    const rest = Array.from({ length: others }, () => createSpan({ traceId, startTimeUnixNano: late }));
    await send([span, ...rest]);
    await send([{ ...span, startTimeUnixNano: late }]);
    const [trace] = await server.database.query<{ is_later: boolean }>(
      "SELECT started_at > to_timestamp(1700000000) AS is_later FROM trace WHERE workspace_id = $1",
      [workspaceId],
    );
    return trace?.is_later ?? false;
  }

  it("is read again for a corrected span", async () => {
    expect(await correctTrace(100)).toBe(true);
  });

  it("is not read again for a corrected span if it is large", async () => {
    expect(await correctTrace(10_000)).toBe(false);
  });
});

describe("a request of any number of spans", () => {
  it("is stored in transactions of at most 500", async () => {
    const { services, asked } = recordStatements(server.services);
    const spans = Array.from({ length: 1200 }, () => createSpan());
    await send(spans, openCtx(services, openAgentCtx()));
    const locked = asked.filter(({ statement }) => statement.text.includes("INSERT INTO trace AS t"));
    const sizes = locked.map(({ values }) => [values[1]].flat().length);
    expect(Math.max(...sizes)).toBe(500);
    const [row] = await server.database.query<{ traces: number }>(
      "SELECT count(*)::int AS traces FROM trace WHERE workspace_id = $1 AND span_count = 1",
      [workspaceId],
    );
    expect(row?.traces).toBe(1200);
  });
});
