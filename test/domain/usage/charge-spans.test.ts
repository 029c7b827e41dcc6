import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { chargeLoggedCall } from "../../support/logged-call.ts";
import { holdLock } from "../../support/locked-table.ts";
import { LONG_AGO, newSpanId, newTraceId, textAttribute } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import {
  type TraceScene,
  createCallSpan,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";
import { readTraceUsage, readUsage, sumChargedCalls } from "../../support/usage-reference.ts";

let server: QuietServices;
let scene: TraceScene;
let traceId: string;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  traceId = newTraceId();
});

/** What the workspace is charged: tokens of input, and dollars. */
async function readCharged(): Promise<{ calls: number; input: number; dollars: number; unpriced: number }> {
  const all = await readUsage(server.database, scene.workspaceId, "all");
  expect(all).toEqual(await sumChargedCalls(server.database, scene.workspaceId));
  const { calls, input, cost, unpriced } = all["workspace "] ?? { calls: 0, input: 0, cost: 0n, unpriced: 0 };
  return { calls, input, dollars: Number(cost) / 1e12, unpriced };
}

type Call = Parameters<typeof createCallSpan>[0];

/** A span of the test's trace. */
function span(id: string, parent: string | null, call: Call) {
  return createCallSpan(call, {
    ...{ traceId, spanId: id, ...LONG_AGO },
    ...(parent !== null && { parentSpanId: parent }),
  });
}

async function send(...spans: ReturnType<typeof span>[]): Promise<void> {
  await sendSpans(scene.agent, spans);
}

const SUM = { op: "invoke_agent" };
const [OUTER, MIDDLE, INNER] = [newSpanId(), newSpanId(), newSpanId()];

describe("chargeSpans", () => {
  it("charges calls and not the sums around them", async () => {
    await send(span(INNER, OUTER, { input: 10, cost: 1 }), span(OUTER, null, { ...SUM, input: 10, cost: 1 }));
    expect(await readCharged()).toEqual({ calls: 1, input: 10, dollars: 1, unpriced: 0 });
  });

  it("charges nothing for what is sent again, and the difference for what has grown", async () => {
    const once = span(INNER, null, { input: 10, cost: 1 });
    await send(once);
    await send(once, once);
    expect(await readCharged()).toMatchObject({ input: 10, dollars: 1 });
    await send(span(INNER, null, { input: 12, cost: 1.5 }));
    await send(once);
    expect(await readCharged()).toEqual({ calls: 1, input: 12, dollars: 1.5, unpriced: 0 });
  });

  it("charges the inner one of a call that is said twice, whichever comes first", async () => {
    const outer = span(OUTER, null, { op: "embeddings", model: "m", input: 10 });
    const inner = span(INNER, OUTER, { op: "embeddings", model: "m", input: 10 });
    await send(outer);
    await send(inner);
    expect(await readCharged()).toEqual({ calls: 1, input: 10, dollars: 0, unpriced: 1 });
    traceId = newTraceId();
    await send(span(INNER, OUTER, { op: "embeddings", model: "m", input: 10 }));
    await send(span(OUTER, null, { op: "embeddings", model: "m", input: 10 }));
    expect(await readCharged()).toEqual({ calls: 2, input: 20, dollars: 0, unpriced: 2 });
  });

  it("charges the outermost sums of a trace without calls, until the first one comes", async () => {
    await send(span(INNER, MIDDLE, { ...SUM, input: 10, cost: 1 }));
    expect(await readCharged()).toMatchObject({ input: 10, dollars: 1 });
    await send(span(OUTER, null, { ...SUM, input: 15, cost: 2 }));
    expect(await readCharged()).toMatchObject({ input: 25, dollars: 3 });
    // Now it is known that one is within the other.
    await send(span(MIDDLE, OUTER, { op: "x" }));
    expect(await readCharged()).toMatchObject({ input: 15, dollars: 2 });
    await send(span(newSpanId(), INNER, { input: 7, cost: 0.5 }));
    expect(await readCharged()).toEqual({ calls: 1, input: 7, dollars: 0.5, unpriced: 0 });
  });

  it("takes the cost of calls from the outermost sum that says one, if they say none", async () => {
    await send(span(INNER, MIDDLE, { input: 10 }), span(newSpanId(), null, { input: 1 }));
    expect(await readCharged()).toEqual({ calls: 2, input: 11, dollars: 0, unpriced: 2 });
    await send(span(OUTER, null, { ...SUM, input: 99, cost: 3 }), span(MIDDLE, OUTER, { ...SUM, cost: 2 }));
    expect(await readCharged()).toEqual({ calls: 2, input: 11, dollars: 3, unpriced: 1 });
    await send(span(newSpanId(), MIDDLE, { input: 5, cost: 0.25 }));
    expect(await readCharged()).toEqual({ calls: 3, input: 16, dollars: 0.25, unpriced: 2 });
  });

  it.each(["before", "after", "between"])(
    "charges a coding agent's log instead of its spans, if it comes %s",
    async (when) => {
      const attributes = [textAttribute("gen_ai.conversation.id", "one")];
      const spans = [span(INNER, OUTER, { input: 10, cost: 1 }), span(OUTER, null, { op: "x", attributes })];
      const log = async () => chargeLoggedCall(scene.agent, { senderId: scene.agentId, sessionKey: "one" });
      if (when === "before") await log();
      await send(...spans.slice(0, 1));
      if (when === "between") await log();
      // Now it is known that they are of one conversation.
      await send(...spans.slice(1));
      if (when === "after") await log();
      await log();
      expect(await readCharged()).toEqual({ calls: 1, input: 7, dollars: 0.5, unpriced: 0 });
      const traces = await readTraceUsage(server.database, scene.workspaceId);
      expect(Object.values(traces)).toMatchObject([{ calls: 1, input: 10 }]);
    },
  );

  it("lets nobody change what another sender's spans are charged", async () => {
    const other = await createOtherSender(server, scene);
    await send(span(MIDDLE, OUTER, { model: "m", input: 10 }));
    await sendSpans(other.ctx, [
      span(OUTER, null, { ...SUM, cost: 0 }),
      span(INNER, MIDDLE, { model: "m", input: 1 }),
    ]);
    expect(await readUsage(server.database, scene.workspaceId, "all")).toMatchObject({
      ...{ [`agent ${scene.agentId}`]: { calls: 1, input: 10, unpriced: 1 } },
      [`agent ${other.id}`]: { calls: 1, input: 1 },
    });
  });

  it("stores spans that are their own parents, or each other's", async () => {
    await send(span(INNER, INNER, { ...SUM, input: 1 }), span(OUTER, OUTER, { model: "m", input: 2 }));
    await send(span(newSpanId(), INNER, { ...SUM, cost: 1 }));
    traceId = newTraceId();
    const ring = [OUTER, MIDDLE, INNER];
    await send(...ring.map((id, at) => span(id, ring[(at + 1) % 3] ?? "", { ...SUM, input: 1 })));
    expect(await readCharged()).toMatchObject({ calls: 1 });
  });

  it("charges the hour in which a call first came, whatever its own time is", async () => {
    const first = span(INNER, null, { input: 10, cost: 1 });
    scene.agent.now = new Date("2026-11-23T10:59:59.999Z");
    await send(first);
    scene.agent.now = new Date("2026-12-01T12:00:00Z");
    await send(span(INNER, null, { input: 11, cost: 2 }));
    const rows = await server.database.query(
      `SELECT period, start, sum(cost_usd)::float8 AS cost FROM usage_bucket
       WHERE workspace_id = $1 AND dimension = 'workspace' GROUP BY period, start ORDER BY period`,
      [scene.workspaceId],
    );
    const starts = [
      "2026-11-23T10:00:00Z",
      "2026-11-23T00:00:00Z",
      "2026-11-01T00:00:00Z",
      "1970-01-01T00:00:00Z",
    ];
    expect(rows).toEqual(
      ["hour", "day", "month", "all"].map((period, at) => ({
        period,
        start: new Date(starts[at] ?? ""),
        cost: 2,
      })),
    );
  });
});

/** Which models have sums of their own in a period. */
async function listModels(period: string): Promise<string[]> {
  const rows = await server.database.query<{ key: string }>(
    `SELECT DISTINCT key FROM usage_bucket
     WHERE workspace_id = $1 AND dimension = 'model' AND period = $2::usage_period AND key <> ''`,
    [scene.workspaceId, period],
  );
  return rows.map(({ key }) => key);
}

function createModels(prefix: string, count: number) {
  const names = Array.from({ length: count }, (_, at) => `${prefix} ${at}`);
  return names.map((model) => createCallSpan({ model, input: 1, cost: 1 }));
}

describe("chargeSpans where senders name many models", () => {
  it("has sums of the first ones of a day, and one of all others", async () => {
    const senders = ["a", "b", "c", "d"];
    await Promise.all(senders.map((name) => sendSpans(scene.agent, createModels(name, 250))));
    expect(await readCharged()).toMatchObject({ calls: 1000, input: 1000, dollars: 1000 });
    for (const period of ["hour", "day", "month", "all"])
      expect(await listModels(period)).toHaveLength(LIMITS.countedModels);
    expect(await readUsage(server.database, scene.workspaceId, "day")).toMatchObject({
      "model ": { calls: 1000 - LIMITS.countedModels },
    });
    scene.agent.now = new Date("2100-01-01T00:00:00Z");
    await sendSpans(scene.agent, createModels("new", 1));
    expect(await listModels("day")).toContain("new 0");
  });

  it("names no more of them at once", async () => {
    await sendSpans(scene.agent, createModels("first", 1));
    const buckets = await holdLock(server.database, "LOCK TABLE usage_bucket IN SHARE MODE");
    const sent = ["a", "b"].map((name) => sendSpans(scene.agent, createModels(name, LIMITS.countedModels)));
    await buckets.waiters(2);
    await buckets.release();
    await Promise.all(sent);
    expect(await listModels("day")).toHaveLength(LIMITS.countedModels);
  });

  it("takes back what a call was charged from where it was charged", async () => {
    await sendSpans(scene.agent, createModels("m", LIMITS.countedModels - 1));
    const conversation = [textAttribute("gen_ai.conversation.id", "one")];
    const [kept, other] = [newSpanId(), newSpanId()];
    const call = { input: 10, cost: 1, attributes: conversation };
    await send(span(kept, null, { model: "last", ...call }));
    await send(span(other, null, { model: "late", ...call }));
    expect(await readCharged()).toMatchObject({ input: 119 });
    await send(span(other, null, { model: "late", ...call, input: 11 }));
    await send(span(kept, null, { model: "later", ...call }));
    expect(await readUsage(server.database, scene.workspaceId, "all")).toMatchObject({
      "model ": { calls: 2, input: 21 },
    });
    expect(await readCharged()).toMatchObject({ input: 120 });
    await chargeLoggedCall(scene.agent, { senderId: scene.agentId, sessionKey: "one" });
    expect(await readUsage(server.database, scene.workspaceId, "all")).toMatchObject({
      "model ": { calls: 1, input: 7 },
    });
    expect(await readCharged()).toMatchObject({ input: 106 });
  });

  it("keeps a name for what counts, not for what has not counted yet", async () => {
    const sums = Array.from({ length: LIMITS.countedModels + 20 }, (_, at) => ({
      id: newSpanId(),
      model: `sum ${at}`,
    }));
    await send(span(INNER, null, { model: "m", input: 1 }));
    await send(...sums.slice(0, 60).map(({ id, model }) => span(id, null, { ...SUM, model, input: 1 })));
    await send(...sums.slice(60).map(({ id, model }) => span(id, null, { ...SUM, model, input: 1 })));
    expect(await listModels("day")).toEqual(["m"]);
    await send(...sums.map(({ id, model }) => span(id, null, { ...SUM, model, input: 1, cost: 1 })));
    expect(await listModels("day")).toHaveLength(LIMITS.countedModels);
    expect(await readCharged()).toMatchObject({ calls: 1, input: 1, dollars: sums.length });
  });
});
