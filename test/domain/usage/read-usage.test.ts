import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUsage } from "../../../src/domain/usage/read-usage.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { LONG_AGO } from "../../support/otlp.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;

beforeAll(async () => {
  server = await openQuietServices();
  scene = await createTraceScene(server);
  for (const [day, model, cost] of [
    ["2026-11-01", "small", 1],
    ["2026-11-02", "large", 5],
    ["2026-11-02", "small", 0.5],
    ["2026-11-03", "small", undefined],
  ] as const) {
    scene.agent.now = new Date(`${day}T12:34:56Z`);
    const call = { model, input: 10, output: 1, ...(cost !== undefined && { cost }) };
    await sendSpans(scene.agent, [createCallSpan(call, LONG_AGO)]);
  }
});

afterAll(() => server.close());

const RANGE = { from: new Date("2026-11-01T20:00:00Z"), to: new Date("2026-11-03T00:00:00Z") };

describe("readUsage", () => {
  it("sums whole periods by model, those that cost most first", async () => {
    const { sums, hasMore } = await readUsage(scene.agent, { dimension: "model", period: "day", ...RANGE });
    expect(sums).toEqual([
      expect.objectContaining({ key: "large", start: null, calls: 1, costUsd: "5.000000000000" }),
      expect.objectContaining({ key: "small", calls: 2, inputTokens: 20, costUsd: "1.500000000000" }),
    ]);
    expect(hasMore).toBe(false);
  });

  it("sums each period if it is asked to, the first one first", async () => {
    const asked = { dimension: "workspace", period: "day", perPeriod: true, ...RANGE } as const;
    const { sums } = await readUsage(scene.agent, asked);
    expect(sums.map(({ start, costUsd }) => [start?.toISOString().slice(0, 10), Number(costUsd)])).toEqual([
      ["2026-11-01", 1],
      ["2026-11-02", 5.5],
    ]);
  });

  it("sums all time, and says how many calls have no price, and whether there are more", async () => {
    const { sums } = await readUsage(scene.agent, { dimension: "agent", period: "all" });
    expect(sums).toMatchObject([
      { key: scene.agentId, calls: 4, outputTokens: 4, costUsd: "6.500000000000", unpricedCalls: 1 },
    ]);
    const first = await readUsage(scene.agent, { dimension: "model", period: "all", first: 1 });
    expect(first).toMatchObject({ sums: [{ key: "large" }], hasMore: true });
  });

  it("rejects an actor without the scope, and ranges that are none or too long", async () => {
    const { workspaceId, agentId: id } = scene;
    const other = agentCtx(server, { id, workspaceId }, { scopes: ["traces:write"] });
    await expect(readUsage(other, { dimension: "agent", period: "all" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    const day = { dimension: "agent", period: "day" } as const;
    for (const [range, field] of [
      [{}, "from"],
      [{ from: RANGE.from }, "to"],
      [{ from: RANGE.to, to: RANGE.from }, "to"],
      [{ from: new Date("2020-01-01"), to: RANGE.to }, "from"],
    ] as const) {
      await expect(readUsage(scene.agent, { ...day, ...range })).rejects.toMatchObject({
        ...{ code: "validation_failed", details: { field } },
      });
    }
  });
});
