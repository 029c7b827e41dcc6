import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createRequest, newTraceId, textAttribute } from "../../support/otlp.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { createCallSpan } from "../../support/trace-scene.ts";

let world: TestWorld;
let agent: TestClient;
let workspaceId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ agent, workspaceId } = await world.another());
});

const PATH = "/api/v1/operator/usage";

describe("GET /api/v1/operator/usage", () => {
  it("reads what was charged by agent, model and task, as the trace shows it", async () => {
    const { id: taskId } = await createTask(world.server.systemCtx(workspaceId), { title: "A task" });
    const traceId = newTraceId();
    const calls = [
      createCallSpan({ model: "large", input: 100, output: 7, cost: 0.25 }, { traceId }),
      createCallSpan({ model: "unknown", input: 1 }, { traceId }),
    ];
    await agent.post("/v1/traces", createRequest(calls, [textAttribute("aos.task_id", taskId)]));
    const read = async (query: string) => (await agent.get(`${PATH}?${query}`)).body;
    const sums = {
      calls: 2,
      input_tokens: 101,
      output_tokens: 7,
      cost_usd: "0.250000000000",
      unpriced_calls: 1,
    };
    expect(await read("")).toMatchObject({
      usage: [{ start: null, agent_id: null, ...sums }],
      has_more: false,
    });
    expect(await read("by=task")).toMatchObject({ usage: [{ task_id: taskId, model: null, ...sums }] });
    const now = Date.now();
    const [from, to] = [new Date(now - 86_400_000).toISOString(), new Date(now + 86_400_000).toISOString()];
    const agents = await read(`by=agent_model&period=day&per_period=true&from=${from}&to=${to}&limit=1`);
    expect(agents).toMatchObject({
      usage: [{ start: expect.stringMatching(/T00:00:00\.000Z$/), model: "large", calls: 1 }],
      has_more: true,
    });
    expect(agents.usage[0].agent_id).toMatch(/^[0-9a-f-]{36}$/);
    const { body } = await agent.get(`/api/v1/operator/traces?task_id=${taskId}`);
    expect(body.traces).toMatchObject([
      {
        ...{ trace_id: traceId, task_id: taskId, input_tokens: 101, output_tokens: 7 },
        ...{ cost_usd: "0.250000000000", unpriced_calls: 1, models: ["large", "unknown"] },
      },
    ]);
    const one = await agent.get(`/api/v1/traces/${traceId}`);
    expect(one.body.trace.cost_usd).toBe("0.250000000000");
    const span = await agent.get(`/api/v1/traces/${traceId}/spans/${String(calls[0]?.["spanId"])}`);
    expect(span.body.span).toMatchObject({
      ...{ usage_role: "leaf", input_tokens: 100, cost_usd: "0.250000000000", cost_source: "sent" },
    });
  });

  it("rejects ranges that are none, and what it does not know", async () => {
    for (const [query, status] of [
      ["period=day", 422],
      ["period=day&from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", 422],
      ["by=person", 400],
      ["limit=1001", 400],
      ["from=yesterday", 400],
      ["unknown=1", 400],
    ] as const) {
      expect((await agent.get(`${PATH}?${query}`)).status, query).toBe(status);
    }
  });

  it("rejects a caller without a credential, and one without the scope", async () => {
    const anonymous = createTestClient(world.server.url);
    expect((await anonymous.get(PATH)).status).toBe(401);
    const writer = await world.agentWith("traces:write");
    expect((await writer.get(PATH)).status).toBe(403);
  });
});
