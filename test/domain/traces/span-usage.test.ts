import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setModelPrice } from "../../../src/domain/prices/set-model-price.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { insertTestMission } from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readStoredSpans } from "../../support/stored-spans.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

async function readSpan(scene: TraceScene) {
  const [span] = await readStoredSpans(server.database, scene.workspaceId);
  return span;
}

const MODEL = { model: "house-1", provider: "*" };

describe("the usage of a span", () => {
  it("is stored with its cost at the workspace's price", async () => {
    const scene = await createTraceScene(server);
    const price = await setModelPrice(scene.system, { ...MODEL, prices: { input: "3", output: "15" } });
    await sendSpans(scene.agent, [createCallSpan({ model: "house-1", input: 1000, output: "10" })]);
    expect(await readSpan(scene)).toMatchObject({
      ...{ usage_role: "leaf", input_tokens: "1000", output_tokens: "10", reasoning_tokens: null },
      ...{ cost_usd: "0.003150000000", cost_source: "price", price_id: price.id },
    });
  });

  it("has no cost where nobody knows it, which is not 0", async () => {
    const scene = await createTraceScene(server);
    await sendSpans(scene.agent, [createCallSpan({ model: "nobody's", input: 1 })]);
    expect(await readSpan(scene)).toMatchObject({ cost_usd: null, cost_source: "none" });
  });

  it("never falls when the span is sent again, and has the cost of the tokens that stay", async () => {
    const scene = await createTraceScene(server);
    await setModelPrice(scene.system, { ...MODEL, prices: { input: "3", output: "15" } });
    const span = createCallSpan({ model: "house-1", input: 1000, output: 10 });
    const again = createCallSpan(
      { model: "house-1", input: 1, output: 20 },
      { spanId: span["spanId"], traceId: span["traceId"] },
    );
    await sendSpans(scene.agent, [span]);
    await sendSpans(scene.agent, [again]);
    const both = { input_tokens: "1000", output_tokens: "20", cost_usd: "0.003300000000" };
    expect(await readSpan(scene)).toMatchObject(both);
    const { endTimeUnixNano: _end, attributes: _attributes, ...open } = span;
    await sendSpans(scene.agent, [{ ...open, attributes: [] }]);
    expect(await readSpan(scene)).toMatchObject({ ...both, usage_role: "leaf" });
    const other = await createTraceScene(server);
    await setModelPrice(other.system, { ...MODEL, prices: { input: "3", output: "15" } });
    await sendSpans(other.agent, [span, again]);
    expect(await readSpan(other)).toMatchObject(both);
  });

  it("has the largest cost that the sender says, whatever the price is", async () => {
    const scene = await createTraceScene(server);
    await setModelPrice(scene.system, { ...MODEL, prices: { input: "3", output: "15" } });
    const span = createCallSpan({ model: "house-1", input: 1_000_000 });
    const say = (cost: number) =>
      createCallSpan({ model: "house-1", cost }, { spanId: span["spanId"], traceId: span["traceId"] });
    for (const one of [span, say(0.5), say(0.25), span]) await sendSpans(scene.agent, [one]);
    expect(await readSpan(scene)).toMatchObject({
      ...{ input_tokens: "1000000", cost_usd: "0.500000000000", cost_source: "sent", price_id: null },
    });
  });

  it.each([
    { cost: -1 },
    { cost: "NaN" },
    { cost: "1e300" },
    { input: -1 },
    { input: "9223372036854775807" },
    { input: 1.5 },
  ])("is left out and counted if it is none that a call has: %j", async (usage) => {
    const scene = await createTraceScene(server);
    await sendSpans(scene.agent, [createCallSpan({ model: "house-1", output: 5, ...usage })]);
    expect(await readSpan(scene)).toMatchObject({
      ...{
        op: "llm",
        usage_role: "none",
        output_tokens: null,
        cost_usd: null,
        cost_source: null,
        dropped: 1,
      },
    });
  });

  it("is stored at its largest", async () => {
    const scene = await createTraceScene(server);
    await sendSpans(scene.agent, [createCallSpan({ input: 1_000_000_000_000, cost: 1_000_000 })]);
    expect(await readSpan(scene)).toMatchObject({
      ...{ input_tokens: "1000000000000", cost_usd: "1000000.000000000000" },
    });
  });
});

describe("the content of a span", () => {
  it("has what the AI SDK embeds, and its vectors", async () => {
    const scene = await createTraceScene(server);
    const attributes = [textAttribute("ai.values", '["a"]'), textAttribute("ai.embeddings", "[[0.1]]")];
    await sendSpans(scene.agent, [createSpan({ attributes })]);
    expect(await readSpan(scene)).toMatchObject({
      ...{ attributes: {}, input: { "ai.values": '["a"]' }, output: { "ai.embeddings": "[[0.1]]" } },
    });
  });
});

describe("the links of a span", () => {
  async function readTraces({ workspaceId }: TraceScene) {
    return server.database.query("SELECT task_id, mission_id FROM trace WHERE workspace_id = $1", [
      workspaceId,
    ]);
  }

  it("make its trace one of the task and the mission that it or its process names", async () => {
    const scene = await createTraceScene(server);
    const task = await createTask(scene.system, { title: "A task" });
    const mission = await insertTestMission(scene.system);
    const traceId = newTraceId();
    await sendSpans(scene.agent, [createSpan({ traceId })]);
    expect(await readTraces(scene)).toEqual([{ task_id: null, mission_id: null }]);
    await sendSpans(scene.agent, [createSpan({ traceId })], [textAttribute("aos.task_id", task.id)]);
    const named = [textAttribute("metadata", JSON.stringify({ "aos.mission_id": mission }))];
    await sendSpans(scene.agent, [createSpan({ traceId, attributes: named })]);
    expect(await readTraces(scene)).toEqual([{ task_id: task.id, mission_id: mission }]);
  });

  it("are nothing if they are another workspace's, or none", async () => {
    const [scene, other] = [await createTraceScene(server), await createTraceScene(server)];
    const task = await createTask(other.system, { title: "A task" });
    for (const id of [task.id, crypto.randomUUID(), "none"]) {
      await sendSpans(scene.agent, [createSpan()], [textAttribute("aos.task_id", id)]);
    }
    const unlinked = { task_id: null, mission_id: null };
    expect(await readTraces(scene)).toEqual([unlinked, unlinked, unlinked]);
  });
});
