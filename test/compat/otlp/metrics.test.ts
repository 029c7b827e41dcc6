import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import {
  CUMULATIVE,
  DELTA,
  createClaudeMetrics,
  createCodexMetrics,
  createHistogram,
  createMetricsRequest,
  createPoint,
  createSum,
} from "../../support/agent-metrics.ts";
import { type OtlpMessage, fromProtobuf, textAttribute, toProtobuf } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";

const METRICS = "ExportMetricsServiceRequest";
const COST = "claude_code.cost.usage";
const TOKENS = "claude_code.token.usage";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

async function send(body: OtlpMessage, client = agent): Promise<void> {
  expect(await client.post("/v1/metrics", body)).toMatchObject({ status: 200, text: "{}" });
}

/** Sends what a sum was at each of some exports. */
async function sendSums(temporality: number, sums: readonly (readonly [at: number, dollars: number])[]) {
  for (const [at, asDouble] of sums) {
    const point = createPoint({ model: "m" }, { asDouble }, { at, temporality });
    await send(createMetricsRequest([createSum(COST, [point], temporality)]));
  }
}

async function read(query = "") {
  const { body } = await agent.get(`/api/v1/operator/usage?${query}`);
  return body.usage;
}

async function readCost(): Promise<number> {
  const [sum] = await read();
  return Number(sum?.metrics.cost_usd ?? 0);
}

/** A field with a message of fewer than 16,384 bytes. */
function frame(field: number, bytes: Uint8Array): Buffer {
  const { length } = bytes;
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size]), bytes]);
}

const CLAUDE_METRICS = {
  ...{ input_tokens: 270, cache_read_tokens: 200, cache_write_tokens: 40, output_tokens: 10 },
  cost_usd: "0.000750000000",
};

describe("POST /v1/metrics", () => {
  it("shows what Claude Code's and Codex's metrics say beside what is charged, and charges nothing", async () => {
    for (let times = 0; times < 2; times++) {
      await send(createClaudeMetrics());
      await send(createCodexMetrics());
    }
    const nothing = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: "0.000000000000" };
    expect(await read("by=model")).toMatchObject([
      { model: "claude-opus-4-8[1m]", ...nothing, metrics: CLAUDE_METRICS },
      {
        ...{ model: "gpt-5.5", ...nothing },
        metrics: { input_tokens: 120, cache_read_tokens: 100, cache_write_tokens: 0, output_tokens: 7 },
      },
    ]);
    expect(await read()).toMatchObject([{ ...nothing, metrics: { input_tokens: 390 } }]);
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    expect(await read(`by=agent&period=hour&from=${from}&to=${to}`)).toMatchObject([
      { metrics: { input_tokens: 390, cost_usd: "0.000750000000" } },
    ]);
  });

  it("reads protobuf in both paths, and histograms of any sender", async () => {
    const points = [
      createPoint({ "gen_ai.token.type": "input", "gen_ai.request.model": "a" }, { sum: 50, count: "2" }),
      createPoint({ "gen_ai.token.type": "output", "gen_ai.request.model": "a" }, { sum: 4, count: "2" }),
    ];
    const metrics = [
      createHistogram("gen_ai.client.token.usage", points.slice(0, 1)),
      {
        name: "gen_ai.client.token.usage",
        exponentialHistogram: { dataPoints: points.slice(1), aggregationTemporality: DELTA },
      },
      createSum(TOKENS, [createPoint({ type: "output", model: "a" }, { asInt: "3" })]),
    ];
    for (const path of ["/v1/metrics", "/api/v1/metrics"]) {
      const answer = await fetch(`${server.url}${path}`, {
        method: "POST",
        body: toProtobuf(createMetricsRequest(metrics), METRICS),
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" },
      });
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(0);
    }
    expect(await read("by=model")).toMatchObject([
      { model: "a", metrics: { input_tokens: 50, output_tokens: 7 } },
    ]);
  });

  it("adds what each delta says once", async () => {
    await sendSums(DELTA, [
      [0, 1],
      [1, 2],
      [1, 2],
      [0, 1],
      [2, 0.25],
    ]);
    expect(await readCost()).toBe(3.25);
  });

  it("adds the differences of a sum that grows, and a smaller one as a new one", async () => {
    await sendSums(CUMULATIVE, [
      [0, 1],
      [1, 3],
      [1, 3],
      [0, 1],
      [2, 3],
      [3, 3.5],
    ]);
    expect(await readCost()).toBe(3.5);
    await sendSums(CUMULATIVE, [
      [4, 0.5],
      [5, 0.75],
    ]);
    expect(await readCost()).toBe(4.25);
  });

  it("adds what a process that started again says, in one request or several", async () => {
    const points = ["1795345640000000000", "1795345650000000000", "1795345655000000000"].map(
      (startTimeUnixNano) => createPoint({ model: "m" }, { asDouble: 2, startTimeUnixNano }, { at: 1 }),
    );
    for (const sent of [points.slice(0, 2), points.slice(2)]) {
      await send(createMetricsRequest([createSum(COST, sent, "AGGREGATION_TEMPORALITY_CUMULATIVE")]));
    }
    expect(await readCost()).toBe(6);
  });

  it("tells series apart by attributes in any order, resource and sender", async () => {
    const attributes = [textAttribute("model", "m"), textAttribute("session.id", "s")];
    const create = (own: OtlpMessage, resource: OtlpMessage[] = []) =>
      createMetricsRequest([createSum(COST, [createPoint({}, { asDouble: 1, attributes, ...own })])], {
        resource,
      });
    await send(create({}));
    await send(create({ attributes: attributes.toReversed() }));
    expect(await readCost()).toBe(1);
    await send(create({ attributes: attributes.slice(0, 1) }));
    expect(await readCost()).toBe(2);
    await send(create({}, [textAttribute("service.instance.id", "2")]));
    expect(await readCost()).toBe(3);
    const minted = await agent.post("/api/v1/agent_tokens", { agent: { handle: "other" } });
    await send(create({}), createTestClient(server.url, minted.body.token));
    expect(await readCost()).toBe(4);
    expect(await read("by=agent")).toHaveLength(2);
  });

  it("counts each series once when its points come at once", async () => {
    const point = createPoint({ model: "m" }, { asDouble: 1 }, { temporality: CUMULATIVE });
    const body = createMetricsRequest([createSum(COST, [point], CUMULATIVE)]);
    await Promise.all(Array.from({ length: 8 }, () => send(body)));
    expect(await readCost()).toBe(1);
  });

  it("sums for the task and the agent that are named", async () => {
    const { id: taskId } = await createTask(server.systemCtx(workspaceId), { title: "A task" });
    const other = await agent.post("/api/v1/agent_tokens", { agent: { handle: "helper" } });
    const resource = [textAttribute("aos.task_id", taskId), textAttribute("gen_ai.agent.name", "helper")];
    const point = createPoint({ model: "m", "gen_ai.agent.name": "helper" }, { asDouble: 1 });
    await send(createMetricsRequest([createSum(COST, [point])], { resource }));
    expect(await read("by=task")).toMatchObject([
      { task_id: taskId, metrics: { cost_usd: "1.000000000000" } },
    ]);
    expect(await read("by=agent")).toMatchObject([{ agent_id: other.body.agent_id }]);
  });

  it("says which points can't be stored, and drops other metrics", async () => {
    const good = createPoint({ type: "input" }, { asInt: 5 });
    const points = [
      createPoint({ type: "input" }, { asInt: -1 }),
      createPoint({ type: "input" }, { asDouble: "NaN" }),
      createPoint({ type: "output" }, { asInt: 5, timeUnixNano: "7258118400000000000" }),
      createPoint({ type: "output" }, { asInt: 5, timeUnixNano: undefined }),
      createPoint({ type: "output" }, { asInt: 5, attributes: {} }),
      ...[
        "no point",
        createPoint({ type: "cacheRead" }, { asInt: 5, startTimeUnixNano: "1795345740000000000" }),
      ],
    ];
    const metrics = [
      createSum(TOKENS, [
        ...points,
        good,
        createPoint({ type: "new" }, { asInt: 9 }),
        createPoint({ type: "input" }, {}),
      ]),
      createSum(COST, [createPoint({}, { asDouble: 1e300 })]),
      createSum(COST, [createPoint({}, { asDouble: 1 })], 0),
      { name: COST, gauge: { dataPoints: [createPoint({}, { asDouble: 1 })] } },
      createSum("http.server.requests", [createPoint({}, { asInt: 1 })]),
    ];
    const answer = await agent.post("/v1/metrics", createMetricsRequest(metrics));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      partialSuccess: {
        rejectedDataPoints: "10",
        errorMessage: [
          ...[1, 2].map((at) => `point ${at}: says tokens or a cost that no call has`),
          ...["point 3: is more than 24 h ahead", "point 4: timeUnixNano is missing"],
          ...["point 5: attributes must be a list", "…"],
        ].join("; "),
      },
    });
    const [sum] = await read();
    expect(sum.metrics).toMatchObject({ input_tokens: 5, output_tokens: 0, cost_usd: "0.000000000000" });
    const bad = await agent.post("/v1/metrics", createMetricsRequest(metrics.slice(1, 4)));
    expect(bad.status).toBe(400);
    expect(JSON.parse(bad.text).message).toBe(
      "No point could be stored. point 1: says tokens or a cost that no call has; point 2: is neither a delta nor " +
        "cumulative; point 3: is neither a delta nor cumulative.",
    );
    await send(createMetricsRequest(metrics.slice(4)));
    await send({ resourceMetrics: [] });
  });

  it("stores nothing of a point that can't be read, and the rest", async () => {
    const sum = toProtobuf(
      { dataPoints: [createPoint({}, { asDouble: 1 })], aggregationTemporality: DELTA },
      "Sum",
    );
    // A point with more bytes than there are, before one that is whole.
    const data = frame(7, Buffer.concat([Buffer.from([0x0a, 0x02, 0x3a, 0x7f]), sum]));
    const metric = Buffer.concat([frame(1, Buffer.from(COST)), data]);
    const body = Buffer.concat([
      toProtobuf(createClaudeMetrics(), METRICS),
      [2, 2, 1].reduce<Buffer>((bytes, field) => frame(field, bytes), metric),
      // ResourceMetrics { ScopeMetrics { Metric { Sum with more bytes than there are } } }
      Buffer.from([0x0a, 0x06, 0x12, 0x04, 0x12, 0x02, 0x3a, 0x7f]),
    ]);
    const answer = await fetch(`${server.url}/v1/metrics`, {
      method: "POST",
      body: new Uint8Array(body),
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-protobuf" },
    });
    expect(fromProtobuf(new Uint8Array(await answer.arrayBuffer()), "ExportTraceServiceResponse")).toEqual({
      partialSuccess: { rejectedSpans: "2", errorMessage: "point 7: is malformed; point 9: is malformed" },
    });
    expect(await readCost()).toBe(1.00075);
  });

  it("has sums of its own only for the first models of a day, and stores any text as a model", async () => {
    const names = Array.from({ length: LIMITS.countedModels + 5 }, (_, at) => `m${at}\u0000\ud800`);
    const points = names.map((model) => createPoint({ model }, { asDouble: 1 }));
    await send(createMetricsRequest([createSum(COST, points)]));
    const sums = await read("by=model&limit=1000");
    expect(sums).toHaveLength(LIMITS.countedModels + 1);
    expect(sums[0]).toMatchObject({ model: "", metrics: { cost_usd: "5.000000000000" } });
  });

  it("reads a large body in a thread, and the points of a series in the order of their times", async () => {
    const points = Array.from({ length: 3000 }, (_, at) =>
      createPoint({ model: "m" }, { asDouble: (at % 10) + 1 }, { at, temporality: CUMULATIVE }),
    );
    await send(createMetricsRequest([createSum(COST, points.toReversed(), CUMULATIVE)]));
    expect(await readCost()).toBe(3000);
  });

  it("counts each new series for the quota, after which nothing is accepted", async () => {
    await server.database.query("UPDATE workspace SET spans_per_day = 5 WHERE id = $1", [workspaceId]);
    await send(createClaudeMetrics());
    expect(await agent.post("/v1/metrics", createClaudeMetrics())).toMatchObject({ status: 429 });
  });

  it("needs traces:write, and allows only POST", async () => {
    const minted = await agent.post("/api/v1/agent_tokens", { scopes: ["traces:read"] });
    const reader = createTestClient(server.url, minted.body.token);
    expect((await reader.post("/v1/metrics", createClaudeMetrics())).status).toBe(403);
    expect((await agent.get("/v1/metrics")).status).toBe(405);
    expect(await read()).toEqual([]);
  });
});
