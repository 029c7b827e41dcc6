import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { grantApproval } from "../../../../src/domain/approvals/grant-approval.ts";
import { sweepExecutions } from "../../../../src/domain/executions/sweep-executions.ts";
import { eventsOf } from "../../../support/mcp.ts";
import { type McpUpstream, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import { type NodeProcess, startNode } from "../../../support/node-process.ts";
import { PATIENCE } from "../../../support/patience.ts";
import { type ProxyScene, createProxyScene, createProxyWorld } from "../../../support/proxy-scene.ts";
import { type TestClient, createTestClient } from "../../../support/test-client.ts";
import type { TestWorld } from "../../../support/test-world.ts";

let world: TestWorld;
let node: NodeProcess;

beforeAll(async () => {
  world = await createProxyWorld();
});

afterAll(() => world.server.close());

async function openNode(): Promise<void> {
  node = await startNode(world.server.database.url, {
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    OUTBOUND_ALLOW: "127.0.0.0/8",
  });
}

it("a call whose node is killed before the answer is unknown once its lease is over, and never made again", async () => {
  await openNode();
  try {
    const scene = await createProxyScene(world);
    const upstream = await startMcpUpstream({ onCall: () => new Promise<null>(() => {}) });
    await scene.register("crm", upstream.url);
    const onNode = createTestClient(node.url, scene.token);
    const params = { name: "refund", arguments: {}, _meta: { "agent-ops/idempotency-key": "once" } };
    const lost = scene.clientOf("crm", "modern", { client: onNode }).trySend("tools/call", params);
    const failed = expect(lost).rejects.toThrow();
    await vi.waitFor(() => expect(upstream.list("tools/call")).toHaveLength(1), PATIENCE);
    await node.kill();
    await failed;
    expect(await scene.listCalls()).toMatchObject([{ status: "started" }]);
    await sweepExecutions(world.server.services, new Date(Date.now() + 700_000));
    expect(await scene.listCalls()).toMatchObject([{ status: "unknown" }]);
    const { text, body } = await scene.clientOf("crm").send("tools/call", params);
    expect((body ?? eventsOf(text).at(-1)).result.content[0].text).toContain("It is unknown.");
    expect(upstream.list("tools/call")).toHaveLength(1);
  } finally {
    await node.kill();
  }
}, 180_000);

const [PLAIN, HELD, UNKEYED] = [8, 4, 8];

type Call = { server: string; params: object };

/** Calls with arguments of their own. */
function createCalls(count: number, server: "crm" | "stripe", key: string | null): Call[] {
  return Array.from({ length: count }, (_, at) => ({
    server,
    params: {
      name: "refund",
      arguments: { amount: 900 + at, of: `${server} ${key}` },
      ...(key !== null && { _meta: { "agent-ops/idempotency-key": `${key}-${at}` } }),
    },
  }));
}

type Phase = (scene: ProxyScene, upstream: McpUpstream) => Promise<number>;

const PHASES: [string, Phase][] = [
  ["as they are sent", async () => 1],
  ["once a call is stored", ({ ctx }) => ctx.db.mcpCall.count()],
  ["once the server has got a call", async (_, upstream) => upstream.list("tools/call").length],
  [
    "once the server has got half of them",
    async (_, upstream) => upstream.list("tools/call").length - (PLAIN + HELD) / 2,
  ],
  ["once a call has ended", ({ ctx }) => ctx.db.mcpCall.count({ where: { status: "completed" } })],
];

describe("calls of a node that is killed", () => {
  it.each(PHASES)(
    "%s are made at most once, also if their agent sends them again",
    async (_, phase) => {
      await openNode();
      try {
        const scene = await createProxyScene(world);
        const upstream = await startMcpUpstream();
        await scene.register("crm", upstream.url);
        await scene.register("stripe", upstream.url, { holdSeconds: 60 });
        const send = (client: TestClient) => async (call: Call) =>
          scene.clientOf(call.server, "modern", { client }).trySend("tools/call", call.params);
        const plain = createCalls(PLAIN, "crm", "plain");
        const held = createCalls(HELD, "stripe", "held");
        const onNode = send(createTestClient(node.url, scene.token));
        const waiting = Promise.allSettled(held.map(onNode));
        const asked = await vi.waitFor(async () => {
          const pending = await scene.ctx.db.approval.findMany({ where: { status: "pending" } });
          expect(pending).toHaveLength(HELD);
          return pending;
        }, PATIENCE);
        const person = await scene.person();
        const sent = Promise.allSettled([...plain, ...createCalls(UNKEYED, "crm", null)].map(onNode));
        const granted = Promise.all(asked.map(({ id }) => grantApproval(person, { id })));
        await vi.waitFor(async () => expect(await phase(scene, upstream)).toBeGreaterThan(0), {
          ...PATIENCE,
          interval: 1,
        });
        await node.kill();
        await Promise.all([granted, sent, waiting]);
        const again = await Promise.all([...plain, ...held].map(send(scene.agent)));
        expect(again.every(({ status }) => status === 200)).toBe(true);
        const got = upstream.list("tools/call").map(({ params }) => JSON.stringify(params["arguments"]));
        expect(new Set(got).size, `made twice: ${got.join(" ")}`).toBe(got.length);
        // Each with a key has one execution, which began on one of the nodes.
        const calls = await scene.listCalls();
        expect(calls.length).toBeGreaterThanOrEqual(PLAIN + HELD);
        expect(calls.length).toBeLessThanOrEqual(PLAIN + HELD + UNKEYED);
        expect(await scene.ctx.db.execution.count()).toBe(calls.length);
        expect(got.length).toBeLessThanOrEqual(calls.length);
        await sweepExecutions(world.server.services, new Date(Date.now() + 700_000));
        const ended = (await scene.listCalls()).map(({ status }) => status);
        expect(ended.filter((status) => status === "completed").length).toBeLessThanOrEqual(got.length);
        expect(new Set([...ended, "completed", "unknown"])).toEqual(new Set(["completed", "unknown"]));
      } finally {
        await node.kill();
      }
    },
    120_000,
  );
});
