import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../../src/domain/kernel/context.ts";
import type { Role } from "../../../../src/domain/kernel/scopes.ts";
import { EXPORT_PAGE, exportTraces } from "../../../../src/domain/traces/export/export-traces.ts";
import { readExportedSpans } from "../../../../src/domain/traces/export/read-exported-spans.ts";
import { agentCtx } from "../../../support/agent-ctx.ts";
import { countBlocks, explainList } from "../../../support/explain-list.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newTraceId,
  textAttribute,
} from "../../../support/otlp.ts";
import { personCtx } from "../../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../../support/quiet-services.ts";
import { type TraceScene, createTraceScene, sendSpans } from "../../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
});

type Asked = Parameters<typeof exportTraces>[1];

/** All pages: each line as a trace id and the ids of its spans. */
async function readAll(ctx: Ctx, asked: Asked = {}) {
  const pages: { trace: string; spans: string[] }[][] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof exportTraces>> = await exportTraces(ctx, { ...asked, after });
    pages.push(page.lines.map(readLine));
    after = page.next;
  } while (after !== null);
  return pages;
}

function readLine(line: string) {
  const request = JSON.parse(line);
  const spans = request.resourceSpans.flatMap(({ scopeSpans }: OtlpMessage) =>
    // As OTLP has it.
    (scopeSpans as { spans: OtlpMessage[] }[]).flatMap((one) => one.spans),
  );
  const [trace, ...others] = new Set<string>(spans.map(({ traceId }: OtlpMessage) => traceId));
  expect(others).toEqual([]);
  return { trace: trace ?? "", spans: spans.map(({ spanId }: OtlpMessage) => spanId) };
}

function toSpanId(number: number): string {
  return number.toString(16).padStart(16, "0");
}

function createSpans(traceId: string, count: number): OtlpMessage[] {
  return Array.from({ length: count }, (_, at) => createSpan({ traceId, spanId: toSpanId(at + 1) }));
}

describe("exportTraces", () => {
  it("writes what was sent, as it was sent", async () => {
    const link = { traceId: newTraceId(), spanId: "b".repeat(16), attributes: [textAttribute("why", "x")] };
    const root = createSpan({
      spanId: "1".repeat(16),
      kind: 3,
      status: { code: 2, message: "declined" },
      attributes: [
        textAttribute("a", "ü <b>"),
        { key: "b", value: { intValue: "-42" } },
        { key: "c", value: { doubleValue: 0.25 } },
        { key: "d", value: { boolValue: false } },
        { key: "e" },
        { key: "f", value: { arrayValue: { values: [{ stringValue: "x" }, {}, { intValue: "1" }] } } },
        {
          key: "g",
          value: { kvlistValue: { values: [textAttribute("x", "1"), { key: "y" }] } },
        },
        textAttribute("h", "9007199254740993"),
      ],
      events: [{ name: "retry", timeUnixNano: "1795345643431000000", attributes: [textAttribute("n", "1")] }],
      links: [link],
    });
    const child = createSpan({
      ...{ traceId: root["traceId"], spanId: "2".repeat(16), parentSpanId: "1".repeat(16) },
      ...{ droppedAttributesCount: 3, events: [], links: [], status: { code: 0 } },
    });
    const { endTimeUnixNano: _ended, ...open } = child;
    await sendSpans(scene.agent, [root, open]);
    const { lines, next } = await exportTraces(scene.agent, {});
    expect(next).toBeNull();
    expect(lines.map((line) => JSON.parse(line))).toEqual([createRequest([root, open])]);
  });

  it("has content only if that is asked for, and not for viewers", async () => {
    await server.database.query("UPDATE workspace SET capture_content = 'full' WHERE id = $1", [
      scene.workspaceId,
    ]);
    const said = [
      textAttribute("gen_ai.input.messages", "secret question"),
      textAttribute("gen_ai.output.messages", "secret answer"),
    ];
    const event = { name: "gen_ai.choice", attributes: [textAttribute("content", "secret choice")] };
    const span = createSpan({ attributes: said, events: [event], links: [], status: { code: 0 } });
    await sendSpans(scene.agent, [span]);
    const plain = await exportTraces(scene.agent, {});
    expect(plain.lines.join("")).not.toContain("secret");
    const whole = { content: true };
    const { lines } = await exportTraces(scene.agent, whole);
    expect(lines.map((line) => JSON.parse(line))).toEqual([createRequest([span])]);
    function person(role: Role): Ctx {
      return personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role });
    }
    expect((await exportTraces(person("viewer"), {})).lines).toEqual(plain.lines);
    expect((await exportTraces(person("operator"), whole)).lines).toEqual(lines);
    await expect(exportTraces(person("viewer"), whole)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("has each span once, a trace on one line, and several lines for one with many spans", async () => {
    const [first, large, last] = [newTraceId(), newTraceId(), newTraceId()];
    const count = 2 * EXPORT_PAGE.spans + 150;
    await sendSpans(scene.agent, createSpans(first, 250));
    await sendSpans(scene.agent, createSpans(large, count));
    await sendSpans(scene.agent, createSpans(last, 3));
    const pages = await readAll(scene.agent);
    expect(pages.map((page) => page.map(({ trace, spans }) => [trace, spans.length]))).toEqual([
      [[first, 250]],
      [[large, EXPORT_PAGE.spans]],
      [[large, EXPORT_PAGE.spans]],
      [
        [large, 150],
        [last, 3],
      ],
    ]);
    const spans = pages.flat().flatMap(({ trace, spans: ids }) => (trace === large ? ids : []));
    expect(spans).toEqual(createSpans(large, count).map(({ spanId }) => spanId));
  });

  it("ends a page before it is large", async () => {
    const traceId = newTraceId();
    const attributes = ["a", "b", "c"].map((key) => textAttribute(key, "x".repeat(60_000)));
    await sendSpans(
      scene.agent,
      createSpans(traceId, 40).map((span) => ({ ...span, attributes })),
    );
    const pages = await readAll(scene.agent);
    expect(pages.map((page) => page.map(({ spans }) => spans.length))).toEqual([[24], [16]]);
  });

  it("counts what is said of processes too", async () => {
    const traceId = newTraceId();
    const large = textAttribute("large", "x".repeat(60_000));
    for (const [at, span] of createSpans(traceId, 100).entries()) {
      await sendSpans(scene.agent, [span], [large, textAttribute("at", String(at))]);
    }
    const pages = await readAll(scene.agent);
    expect(pages.map((page) => page.map(({ spans }) => spans.length))).toEqual([[70], [30]]);
  });

  it("has the traces that began to arrive in a time, of the workspace", async () => {
    const ids = [newTraceId(), newTraceId(), newTraceId()];
    for (const traceId of ids) await sendSpans(scene.agent, createSpans(traceId, 1));
    await server.database.query(
      `UPDATE trace SET created_at = '2026-11-22T00:00:00Z'::timestamptz + n * interval '1 hour'
       FROM unnest($2::uuid[]) WITH ORDINALITY g (id, n) WHERE trace.id = g.id AND workspace_id = $1`,
      [scene.workspaceId, ids],
    );
    const between = { from: new Date("2026-11-22T02:00:00Z"), until: new Date("2026-11-22T03:00:00Z") };
    const [found = []] = await readAll(scene.agent, between);
    expect(found.map(({ trace }) => trace)).toEqual([ids[1]]);
    expect(await readAll((await createTraceScene(server)).agent)).toEqual([[]]);
  });

  it("reads spans from where it is, however many there are before and after", async () => {
    const { workspaceId, agent } = await createTraceScene(server);
    const traceId = newTraceId();
    await sendSpans(agent, createSpans(traceId, 5000));
    await sendSpans(agent, createSpans(newTraceId(), 1));
    await server.database.query(
      `INSERT INTO trace (workspace_id, id, day, agent_id, status, plumbing, started_at, created_at, updated_at)
       SELECT $1, gen_random_uuid(), current_date, a.id, 'unset', false, now(), now() + n * interval '1 second', now()
       FROM agent a, generate_series(-10000, 10000) n WHERE a.workspace_id = $1 AND abs(n) > 1`,
      [workspaceId],
    );
    await server.database.query("VACUUM ANALYZE trace, span");
    const [trace] = await server.database.query<{ createdAt: Date; id: string }>(
      `SELECT created_at AS "createdAt", id FROM trace WHERE workspace_id = $1 AND span_count = 5000`,
      [workspaceId],
    );
    const after = { createdAt: new Date(0), id: "", ...trace, spanId: toSpanId(4000) };
    const plan = await explainList(server, agent, (listening) =>
      readExportedSpans(listening, { from: new Date(0), until: null, after, content: true }),
    );
    expect(countBlocks(plan)).toBeLessThan(520);
  });

  it.each([[{ after: "x" }], [{ from: new Date(Number.NaN) }]])("rejects %j", async (asked) => {
    await expect(exportTraces(scene.agent, asked)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("rejects an actor without the scope", async () => {
    const { agentId: id, workspaceId } = scene;
    const writer = agentCtx(server, { id, workspaceId }, { scopes: ["traces:write"] });
    await expect(exportTraces(writer, {})).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});
