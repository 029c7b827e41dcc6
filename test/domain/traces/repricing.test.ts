import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decode } from "../../../compat/otlp/decode.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { setModelPrice } from "../../../src/domain/prices/set-model-price.ts";
import { ingestTelemetry } from "../../../src/domain/traces/ingest-telemetry.ts";
import { applyCosts } from "../../../src/domain/traces/repricing/apply-costs.ts";
import { findNewCosts } from "../../../src/domain/traces/repricing/find-new-costs.ts";
import { listCalls } from "../../../src/domain/traces/repricing/list-calls.ts";
import { repriceUsage } from "../../../src/domain/traces/repricing/reprice-usage.ts";
import { createCodexLogs } from "../../support/agent-logs.ts";
import { userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readStoredSpans, readTraceSums } from "../../support/stored-spans.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";
import { LONG_AGO } from "../../support/otlp.ts";
import { countUsage, readUsage, sumChargedCalls } from "../../support/usage-reference.ts";

let server: QuietServices;
let scene: TraceScene;
let admin: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  admin = userCtx(server, scene.workspaceId, "admin");
});

const RANGE = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-11-03T00:00:00Z") };

/** Sends calls that come on a day. */
async function sendCalls(day: string, calls: Parameters<typeof createCallSpan>[0][]): Promise<void> {
  scene.agent.now = new Date(`${day}T12:00:00Z`);
  await sendSpans(
    scene.agent,
    calls.map((call) => createCallSpan(call, LONG_AGO)),
  );
}

/** What is charged, in dollars. */
async function readCharged(): Promise<number> {
  const all = await readUsage(server.database, scene.workspaceId, "all");
  return Number(all["workspace "]?.cost ?? 0n) / 1e12;
}

/** Checks the sums against what the spans say. */
async function expectExact(): Promise<void> {
  const { stored, counted } = await readTraceSums(server.database, scene.workspaceId);
  expect(stored).toEqual(counted);
  const reference = await countUsage(server.database, scene.workspaceId);
  expect(await readUsage(server.database, scene.workspaceId, "all")).toEqual(reference.charged);
}

describe("repriceUsage", () => {
  it("charges what calls of the time cost now, but what senders said, as its preview says", async () => {
    await sendCalls("2026-10-31", [{ model: "house", input: 1_000_000 }]);
    await sendCalls("2026-11-01", [
      { model: "house", input: 1_000_000 },
      { model: "house", input: 1_000_000, cost: 0.5 },
    ]);
    await sendCalls("2026-11-02", [{ model: "other", input: 1 }]);
    await setModelPrice(scene.system, { model: "house", prices: { input: "2", output: "2" } });
    expect(await readCharged()).toBe(0.5);
    const changes = {
      calls: 3,
      changed: 1,
      fromUsd: "0.000000000000",
      toUsd: "2.000000000000",
      endCursor: null,
    };
    expect(await repriceUsage(admin, { ...RANGE, preview: true })).toEqual(changes);
    expect(await readCharged()).toBe(0.5);
    expect(await repriceUsage(admin, RANGE)).toEqual(changes);
    expect(await readCharged()).toBe(2.5);
    await expectExact();
    const spans = await readStoredSpans(server.database, scene.workspaceId);
    expect(spans.map(({ cost_usd: cost, cost_source: source }) => [cost, source])).toEqual(
      expect.arrayContaining([
        ["2.000000000000", "price"],
        ["0.500000000000", "sent"],
        [null, "none"],
        [null, "none"],
      ]),
    );
    await setModelPrice(scene.system, { model: "house", prices: { input: "1", output: "2" } });
    expect(await repriceUsage(admin, RANGE)).toMatchObject({
      changed: 1,
      fromUsd: "2.000000000000",
      toUsd: "1.000000000000",
    });
    await expectExact();
    const audit = await server.database.query(
      "SELECT action, changes FROM audit_event WHERE workspace_id = $1 AND action = 'usage.repriced'",
      [scene.workspaceId],
    );
    const changed = { from: RANGE.from.toISOString(), to: RANGE.to.toISOString(), calls: 1 };
    expect(audit).toEqual([
      { action: "usage.repriced", changes: changed },
      { action: "usage.repriced", changes: changed },
    ]);
  });

  it("charges the calls of logs at the prices of their providers", async () => {
    scene.agent.now = new Date("2026-11-22T12:00:00Z");
    const bytes = Buffer.from(JSON.stringify(createCodexLogs()).replaceAll("gpt-5.5", "house"));
    const body = { bytes, signal: "logs", encoding: "json" } as const;
    await ingestTelemetry(scene.agent, { read: (options) => Promise.resolve(decode(body, options)) });
    await setModelPrice(scene.system, {
      ...{ provider: "openai", model: "house", prices: { input: "1000", cacheRead: "100", output: "2000" } },
    });
    // The call that is charged, and the span that shows it.
    const range = { from: RANGE.from, to: new Date("2026-11-23T00:00:00Z") };
    expect(await repriceUsage(admin, range)).toMatchObject({ calls: 2, changed: 2, toUsd: "0.044000000000" });
    expect(await readCharged()).toBe(0.044);
    const { database } = server;
    const charged = await readUsage(database, scene.workspaceId, "all");
    expect(charged).toEqual(await sumChargedCalls(database, scene.workspaceId));
  });

  it("leaves a call alone whose price is gone", async () => {
    await setModelPrice(scene.system, { model: "house", prices: { input: "2", output: "2" } });
    await sendCalls("2026-11-01", [{ model: "house", input: 1_000_000 }]);
    await server.database.query("DELETE FROM model_price WHERE workspace_id = $1", [scene.workspaceId]);
    await setModelPrice(scene.system, { model: "another", prices: { input: "2", output: "2" } });
    expect(await repriceUsage(admin, RANGE)).toMatchObject({ calls: 1, changed: 0 });
    expect(await readCharged()).toBe(2);
  });

  it("leaves a call alone that comes again meanwhile, at the prices of then", async () => {
    scene.agent.now = new Date("2026-11-01T12:00:00Z");
    const span = createCallSpan({ model: "house", input: 1_000_000 }, LONG_AGO);
    const { traceId, spanId } = span;
    const again = createCallSpan({ model: "house", input: 2_000_000 }, { ...LONG_AGO, traceId, spanId });
    await sendSpans(scene.agent, [span]);
    await setModelPrice(scene.system, { model: "house", prices: { input: "2", output: "2" } });
    const { calls } = await listCalls(admin, { ...RANGE, after: null, limit: 10 });
    const found = await findNewCosts(admin, calls);
    expect(found).toHaveLength(1);
    await sendSpans(scene.agent, [again]);
    expect(await applyCosts(admin, found, RANGE)).toEqual([]);
    expect(await readCharged()).toBe(4);
    await expectExact();
  });

  it("goes on where it stopped", async () => {
    await sendCalls("2026-11-01", [
      { model: "a", input: 1 },
      { model: "a", input: 1 },
    ]);
    await sendCalls("2026-11-02", [{ model: "a", input: 1 }]);
    const keys: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listCalls>> = await listCalls(admin, {
        ...RANGE,
        after,
        limit: 1,
      });
      keys.push(...page.calls.map(({ callKey }) => callKey));
      after = page.endCursor;
    } while (after !== null);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(3);
  });

  it("rejects actors below admin, agents, no range and what is no cursor", async () => {
    for (const ctx of [userCtx(server, scene.workspaceId, "operator"), scene.agent]) {
      await expect(repriceUsage(ctx, RANGE)).rejects.toMatchObject({ code: "forbidden" });
    }
    for (const [input, field] of [
      [{ from: RANGE.to, to: RANGE.from }, "to"],
      [{ ...RANGE, after: "x" }, "after"],
    ] as const) {
      await expect(repriceUsage(admin, input)).rejects.toMatchObject({
        ...{ code: "validation_failed", details: { field } },
      });
    }
  });

  it("changes nothing of another workspace", async () => {
    await sendCalls("2026-11-01", [{ model: "house", input: 1_000_000 }]);
    const other = await createTraceScene(server);
    await setModelPrice(other.system, { model: "house", prices: { input: "2", output: "2" } });
    expect(await repriceUsage(userCtx(server, other.workspaceId, "admin"), RANGE)).toMatchObject({
      calls: 0,
    });
    expect(await readCharged()).toBe(0);
  });
});
