import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { ALLOW, ASK, CHECK_PATH, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let ctx: Ctx;
let agent: TestClient;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agent, agentId } = await createGatewayScene(world));
});

/** Waits for a decision, since permissions are stored soon after the answer. */
async function readDecision(id: string): Promise<Record<string, unknown>> {
  const find = async () => {
    const [row] = await world.server.database.query<Record<string, unknown>>(
      "SELECT * FROM decision WHERE id = $1",
      [id],
    );
    return row;
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? {};
}

describe("the log of decisions", () => {
  it("has each decision, with its policies, task and trace, without secrets", async () => {
    const policy = await createPolicy(ctx, ALLOW);
    const monitored = await createPolicy(ctx, { ...ASK, mode: "monitor" });
    const task = await createTask(ctx, { title: "x" });
    const request = refund(
      { amount: 900, api_key: "abc", note: `use agt_${"x".repeat(49)} and \u0000`, deep: { Password: "p" } },
      { context: { task_id: task.id } },
    );
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const { body } = await agent.post(CHECK_PATH, { request }, { traceparent });
    const row = await readDecision(body.check.id);
    expect(row).toMatchObject({
      ...{ workspace_id: ctx.workspaceId, agent_id: agentId, subject: null, action: "tools/call" },
      ...{ resource_type: "tool", resource_id: "stripe.refund", outcome: "allow", reason: "policy_allow" },
      ...{ would: "ask", task_id: task.id, trace_id: traceId },
      matched: [
        {
          id: policy.id,
          generation: 1,
          name: "tools",
          effect: "allow",
          mode: "enforce",
          result: true,
          decided: true,
        },
        { id: monitored.id, effect: "ask", mode: "monitor", result: true, decided: false },
      ],
      request: {
        action: {
          properties: {
            arguments: {
              ...{ amount: 900, api_key: "[redacted]", note: "use [redacted] and \ufffd" },
              deep: { Password: "[redacted]" },
            },
          },
        },
      },
    });
    expect(row["latency_us"]).toBeGreaterThan(0);
  });

  it("has no secrets in the names of what was asked about", async () => {
    const secret = `ghp_${"x".repeat(36)}`;
    const { id } = await check(agent, {
      action: { name: `call ${secret}` },
      resource: { type: "url", id: `https://x.org/${secret}` },
      subject: { type: "user", id: secret },
    });
    const row = await readDecision(id);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row).toMatchObject({
      ...{ action: "call [redacted]", resource_id: "https://x.org/[redacted]" },
      subject: { type: "user", id: "[redacted]" },
    });
  });

  it("has no request of more than 16 KiB, but its hash", async () => {
    const { id } = await check(agent, refund({ text: "x".repeat(20_000) }));
    const row = await readDecision(id);
    expect(row["request"]).toBeNull();
    expect(row["request_hash"]).toHaveLength(32);
  });

  it("hashes equal requests alike, whatever their members' order", async () => {
    const hashOf = async (request: unknown) => {
      const { request_hash: hash } = await readDecision((await check(agent, request)).id);
      return Buffer.from(hash as Buffer).toString("hex");
    };
    const first = await hashOf(refund({ amount: 900, to: "a" }));
    expect(await hashOf(refund({ to: "a", amount: 9e2 }))).toBe(first);
    expect(await hashOf(refund({ to: "a", amount: 900.5 }))).not.toBe(first);
    expect(await hashOf(refund({ to: "á", amount: 900 }))).not.toBe(
      await hashOf(refund({ to: "a\u0301", amount: 900 })),
    );
  });

  it("is read by GraphQL: all, refusals or those of an agent", async () => {
    await createPolicy(ctx, ALLOW);
    const allowed = await check(agent, refund());
    const denied = await check(agent, { ...refund(), action: { name: "other" } });
    await readDecision(allowed.id);
    const query = `query ($filter: DecisionFilter) { decisions(filter: $filter) {
      totalCount nodes { id uuid outcome reason agentUuid policies { name decided } } } }`;
    const ask = async (filter: object) => (await agent.graphql(query, { filter })).body.data.decisions;
    expect(await ask({})).toMatchObject({
      totalCount: 2,
      nodes: [
        { uuid: denied.id, outcome: "DENY", reason: "DEFAULT_DENY", agentUuid: agentId, policies: [] },
        { uuid: allowed.id, outcome: "ALLOW", policies: [{ name: "tools", decided: true }] },
      ],
    });
    const { nodes } = await ask({ outcome: "DENY" });
    expect(nodes.map(({ uuid }: { uuid: string }) => uuid)).toEqual([denied.id]);
    const one = `query ($id: ID!) { decision(id: $id) { uuid requestHash request } }`;
    expect((await agent.graphql(one, { id: nodes[0].id })).body.data.decision).toMatchObject({
      uuid: denied.id,
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
