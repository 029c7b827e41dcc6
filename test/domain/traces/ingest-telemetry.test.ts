import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { LONG_AGO, createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import {
  type TraceScene,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

async function createScene(): Promise<TraceScene> {
  return createTraceScene(server);
}

describe("ingestTelemetry", () => {
  it("rejects an actor without the scope", async () => {
    const { workspaceId, agent } = await createScene();
    const ctx = agentCtx(
      server,
      { id: agent.actor.type === "agent" ? agent.actor.id : "", workspaceId },
      {
        scopes: ["traces:read"],
      },
    );
    await expect(sendSpans(ctx, [createSpan()])).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  it("updates a span that is sent again: what has ended stays ended, attributes are merged", async () => {
    const { workspaceId, agent } = await createScene();
    const ended = createSpan({
      name: "ended",
      attributes: [textAttribute("a", "ended"), textAttribute("b", "1")],
    });
    const { endTimeUnixNano: _end, ...open } = ended;
    const late = { ...open, name: "open", attributes: [textAttribute("a", "open"), textAttribute("c", "2")] };
    await sendSpans(agent, [late]);
    expect(await readTraceSums(server.database, workspaceId)).toMatchObject({ stored: [{ open_count: 1 }] });
    await sendSpans(agent, [ended]);
    await sendSpans(agent, [late]);
    const [span] = await readStoredSpans(server.database, workspaceId);
    expect(span).toMatchObject({ name: "ended", attributes: { a: "ended", b: "1", c: "2" } });
    expect(span?.["ended_at"]).not.toBeNull();
    const { stored, counted } = await readTraceSums(server.database, workspaceId);
    expect(stored).toEqual(counted);
    expect(stored).toMatchObject([{ span_count: 1, open_count: 0 }]);
    await sendSpans(agent, [{ ...ended, name: "corrected", status: { code: 2 } }]);
    expect(await readTraceSums(server.database, workspaceId)).toMatchObject({
      stored: [{ root_name: "corrected", error_count: 1, status: "error" }],
    });
  });

  it("takes for the root who ended last of those that began in the same millisecond, in whatever order", async () => {
    const { agent, workspaceId } = await createScene();
    const begin = { startTimeUnixNano: `${HISTORY_MS}000000` };
    const caller = { ...begin, parentSpanId: "ffffffffffffffff", spanId: "2222222222222222", name: "GET /" };
    const child = { ...begin, parentSpanId: caller.spanId, spanId: "1111111111111111", name: "query" };
    const spans = [
      { ...caller, endTimeUnixNano: `${HISTORY_MS + 9}000000` },
      { ...child, endTimeUnixNano: `${HISTORY_MS + 5}000000` },
    ];
    for (const sent of [spans, spans.toReversed()]) {
      const [together, apart] = [newTraceId(), newTraceId()];
      await sendSpans(
        agent,
        sent.map((span) => createSpan({ ...span, traceId: together })),
      );
      for (const span of sent) await sendSpans(agent, [createSpan({ ...span, traceId: apart })]);
    }
    const { stored } = await readTraceSums(server.database, workspaceId);
    expect(stored.map((trace) => (trace as { root_name: string }).root_name)).toEqual(
      Array.from({ length: 4 }, () => "GET /"),
    );
  });

  it("takes the last of several copies in one request that has ended", async () => {
    const { workspaceId, agent } = await createScene();
    const ended = createSpan({ name: "ended" });
    const { endTimeUnixNano: _end, ...open } = createSpan({ ...ended, name: "open" });
    expect(await sendSpans(agent, [open, ended, open])).toMatchObject({ accepted: 3, rejected: 0 });
    expect(await readStoredSpans(server.database, workspaceId)).toMatchObject([{ name: "ended" }]);
  });

  it("rejects changes of another agent's spans, and stores new ones of the same trace", async () => {
    const scene = await createScene();
    const other = await createOtherSender(server, scene);
    const span = createSpan();
    await sendSpans(scene.agent, [span]);
    const added = createSpan({ traceId: span["traceId"], name: "added" });
    const receipt = await sendSpans(other.ctx, [{ ...span, name: "changed", status: { code: 1 } }, added]);
    expect(receipt).toEqual({
      ...{ accepted: 1, rejected: 1, dropped: 0, message: "span 1: another agent's credential has sent it" },
    });
    const names = (await readStoredSpans(server.database, scene.workspaceId)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["added", "work"]));
    const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
    expect(stored).toEqual(counted);
  });

  it("attributes spans to the agent that they name, if the sender may act for it", async () => {
    const scene = await createScene();
    const other = await createOtherSender(server, scene, ["traces:write"]);
    const named = (name: string) =>
      createSpan({ name, attributes: [textAttribute("gen_ai.agent.name", other.handle)] });
    const byId = createSpan({ name: "id", attributes: [textAttribute("gen_ai.agent.id", other.id)] });
    const unknown = createSpan({ name: "?", attributes: [textAttribute("gen_ai.agent.id", "nobody")] });
    await sendSpans(scene.agent, [named("handle"), byId, unknown]);
    const own = scene.agent.actor.type === "agent" ? scene.agent.actor.id : "";
    const foreign = createSpan({ name: "foreign", attributes: [textAttribute("gen_ai.agent.id", own)] });
    await sendSpans(other.ctx, [foreign]);
    const agents = Object.fromEntries(
      (await readStoredSpans(server.database, scene.workspaceId)).map((row) => [
        row["name"],
        row["agent_id"],
      ]),
    );
    expect(agents).toEqual({ handle: other.id, id: other.id, "?": own, foreign: other.id });
  });

  it("accepts as many new spans a day as the workspace wants, and says when more are accepted", async () => {
    const { agent, system } = await createScene();
    await updateWorkspace(system, { spansPerDay: 2 });
    const now = new Date("2026-11-23T22:00:00Z");
    const ctx = Object.assign(agent, { now });
    const spans = [createSpan(LONG_AGO), createSpan(LONG_AGO)];
    await sendSpans(ctx, spans);
    await expect(sendSpans(ctx, spans)).rejects.toMatchObject({
      code: "rate_limited",
      details: { retryAfterSeconds: 7200 },
    });
    ctx.now = new Date("2026-11-24T00:00:00Z");
    await expect(sendSpans(ctx, [createSpan(LONG_AGO)])).resolves.toMatchObject({ accepted: 1 });
  });

  it("rejects new spans of a trace that is full, and updates its others", async () => {
    const { workspaceId, agent } = await createScene();
    const known = createSpan({ traceId: newTraceId() });
    await sendSpans(agent, [known]);
    await server.database.query("UPDATE trace SET span_count = 99999 WHERE workspace_id = $1", [workspaceId]);
    const { traceId } = known;
    const receipt = await sendSpans(agent, [
      known,
      createSpan({ traceId }),
      createSpan({ traceId }),
      createSpan(),
    ]);
    expect(receipt).toEqual({
      ...{ accepted: 3, rejected: 1, dropped: 0, message: "span 3: its trace has 100000 spans already" },
    });
  });

  it("keeps a trace in the partition of the day on which it began, and creates it if it is missing", async () => {
    const { workspaceId, agent } = await createScene();
    const traceId = newTraceId();
    const before = Object.assign(agent, { now: new Date("2026-03-01T23:59:59.999Z") });
    const started = (name: string) => createSpan({ traceId, name, ...LONG_AGO });
    await sendSpans(before, [started("before")]);
    await sendSpans(Object.assign(agent, { now: new Date("2026-03-02T00:00:00.001Z") }), [
      started("after"),
      createSpan({ name: "new", ...LONG_AGO }),
    ]);
    const rows = await server.database.query<{ name: string; place: string }>(
      `SELECT n.name, s.tableoid::regclass::text AS place FROM span s
       JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id WHERE s.workspace_id = $1`,
      [workspaceId],
    );
    const places = Object.fromEntries(rows.map(({ name, place }) => [name, place]));
    expect(places).toEqual({ before: "span_20260301", after: "span_20260301", new: "span_20260302" });
  });

  it.each([
    ["full", "call a@example.org", { "gen_ai.prompt": "key sk-live-0123456789abcdef01234" }],
    ["redacted", "call [redacted:email]", { "gen_ai.prompt": "key [redacted]" }],
    ["off", "call [redacted:email]", null],
  ] as const)("stores content where the workspace wants it: %s", async (captureContent, name, input) => {
    const { workspaceId, agent, system } = await createScene();
    await updateWorkspace(system, { captureContent });
    await sendSpans(agent, [
      createSpan({
        name: "call a@example.org",
        attributes: [
          textAttribute("gen_ai.prompt", "key sk-live-0123456789abcdef01234"),
          textAttribute("http.request.header.authorization", "Basic x"),
          textAttribute("user.id", "ada"),
          textAttribute("note", "card 4111 1111 1111 1111, number 4111111111111112"),
          textAttribute("unknown", "x".repeat(2000)),
        ],
        events: [{ name: "gen_ai.choice", attributes: [textAttribute("content", "yes")] }],
      }),
    ]);
    const [row] = await readStoredSpans(server.database, workspaceId);
    expect(row).toMatchObject({ name, input });
    expect(row?.["output"]).toEqual(captureContent === "off" ? null : { "events.0.content": "yes" });
    const attributes = row?.["attributes"] as Record<string, string>;
    const isFull = captureContent === "full";
    expect(attributes["http.request.header.authorization"]).toBeUndefined();
    expect(attributes["user.id"]).toMatch(isFull ? /^ada$/ : /^sha256:[0-9a-f]{32}$/);
    expect(attributes["note"]).toBe(
      `card ${isFull ? "4111 1111 1111 1111" : "[redacted:card]"}, number 4111111111111112`,
    );
    expect(attributes["unknown"]?.length).toBe(captureContent === "off" ? undefined : 2000);
  });

  it("stores no secret in the name of an attribute", async () => {
    const { workspaceId, agent } = await createScene();
    const key = "sk-live-0123456789abcdef01234";
    await sendSpans(agent, [
      createSpan({
        attributes: [textAttribute(`of ${key}`, "x"), textAttribute(`gen_ai.prompt.${key}`, "y")],
      }),
    ]);
    const [row] = await readStoredSpans(server.database, workspaceId);
    expect(row).toMatchObject({
      ...{ attributes: { "of [redacted]": "x" }, input: { "gen_ai.prompt.[redacted]": "y" }, redactions: 2 },
    });
  });
});

const HISTORY_MS = 1_000_000_000_000;

/** A copy of one of six spans in two traces: open or ended, with any parent and times. */
const copy = fc.record({
  ...{ trace: fc.nat(1), span: fc.nat(5), parent: fc.option(fc.nat(5)), status: fc.nat(2) },
  ...{ startMs: fc.nat(3), endMs: fc.option(fc.nat(50)), op: fc.constantFrom("chat", "execute_tool", "x") },
});

type Copy = typeof copy extends fc.Arbitrary<infer Value> ? Value : never;

describe("the sums of a trace", () => {
  it("are those of its spans, whatever is sent in whatever order, by several at once", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(fc.array(copy, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), { maxLength: 4 }),
      async (connections) => {
        const { workspaceId, agent } = await createScene();
        const traces = [newTraceId(), newTraceId()];
        const toSpan = ({ trace, span, parent, status, startMs, endMs, op }: Copy) => ({
          ...{
            traceId: traces[trace],
            spanId: `${span + 1}`.padStart(16, "0"),
            name: `span ${span} ${startMs}`,
          },
          ...(parent !== null && { parentSpanId: `${parent + 1}`.padStart(16, "0") }),
          ...{ status: { code: status }, startTimeUnixNano: `${HISTORY_MS + startMs}000000` },
          ...(endMs !== null && { endTimeUnixNano: `${HISTORY_MS + 100 + endMs}000000` }),
          attributes: [textAttribute("gen_ai.operation.name", op)],
        });
        await Promise.all(
          connections.map(async (requests) => {
            for (const copies of requests) await sendSpans(agent, copies.map(toSpan));
          }),
        );
        const { stored, counted } = await readTraceSums(server.database, workspaceId);
        expect(stored).toEqual(counted);
      },
    );
    await fc.assert(property, { numRuns: runs(40) });
  });
});
