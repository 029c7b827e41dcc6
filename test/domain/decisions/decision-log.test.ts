import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { createDecisionRow, toLogged } from "../../support/decision-row.ts";
import { ALLOW, ASK, CHECK_PATH, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { countLoopTurns, keepBusy } from "../../support/loop-turns.ts";
import { PATIENCE } from "../../support/patience.ts";
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

async function readCount({ workspaceId } = ctx): Promise<number> {
  const [found] = await world.server.database.query<{ count: number }>(
    "SELECT sum(count)::int AS count FROM decision_sum WHERE workspace_id = $1 AND seconds = 3600",
    [workspaceId],
  );
  return found?.count ?? 0;
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

  it("has all permissions if the workspace wants them, and else a sample", async () => {
    await createPolicy(ctx, ALLOW);
    const ask = (resource: string) =>
      Promise.all(
        Array.from({ length: 45 }, () =>
          check(agent, { ...refund(), resource: { type: "tool", id: resource } }),
        ),
      );
    const sampled = await ask("sampled");
    await updateWorkspace(ctx, { decisionLog: "all", decisionDurability: "strict" });
    const all = await ask("all");
    const count = async (checks: { id: string }[]) => {
      const found = await world.server.database.query("SELECT 1 FROM decision WHERE id = ANY ($1)", [
        checks.map(({ id }) => id),
      ]);
      return found.length;
    };
    expect(await count(all)).toBe(45);
    await expect.poll(() => count(sampled)).toBeGreaterThanOrEqual(20);
    // Two minutes at most.
    expect(await count(sampled)).toBeLessThanOrEqual(40);
    await expect.poll(() => readCount(), PATIENCE).toBe(90);
  });

  it("counts every decision that it has, once, also of questions and executions", async () => {
    await updateWorkspace(ctx, { decisionLog: "all" });
    const scene = await createApprovalScene(world);
    await updateWorkspace(scene.ctx, { decisionLog: "all" });
    const approvalId = await scene.request();
    await scene.ask();
    await grantApproval(await scene.person(), { id: approvalId });
    await scene.ask(undefined, { sessionKey: "one" });
    await scene.ask(undefined, { sessionKey: "one" });
    const small = { requestText: JSON.stringify(refund({ amount: 1 })) };
    await startExecution(scene.agent, { ...small, decisionId: crypto.randomUUID() });
    await scene.ask({ ...refund(), action: { name: "other" } });
    const stored = await world.server.database.query("SELECT 1 FROM decision WHERE workspace_id = $1", [
      scene.ctx.workspaceId,
    ]);
    expect(stored.length).toBeGreaterThan(4);
    await expect.poll(() => readCount(scene.ctx), PATIENCE).toBe(stored.length);
  });

  it("lets others work while it describes the decisions of a batch", async () => {
    const turns = countLoopTurns();
    const describedIn = new Set<number>();
    const batch = Array.from({ length: 20 }, () => {
      const logged = toLogged(createDecisionRow(new Date(), { workspaceId: ctx.workspaceId }));
      const describe = () => {
        describedIn.add(turns.current());
        keepBusy(5);
        return logged.describe();
      };
      return { ...logged, describe };
    });
    await world.server.services.decisions.log(batch, { mode: "all", durability: "buffered" });
    turns.stop();
    expect(describedIn.size).toBe(20);
  });

  it("says of each policy how often it matched", async () => {
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, { ...ASK, mode: "monitor" });
    for (const amount of [100, 900, 900]) await check(agent, refund({ amount }));
    await expect.poll(() => readCount(), PATIENCE).toBe(3);
    const query = "{ policies { nodes { name activity { hits wouldHits lastMatchAt } } } }";
    const { nodes } = (await agent.graphql(query)).body.data.policies;
    const lastMatchAt = expect.stringMatching(/^20/);
    expect(nodes).toEqual([
      { name: "refunds over 500", activity: { hits: 0, wouldHits: 2, lastMatchAt } },
      { name: "tools", activity: { hits: 3, wouldHits: 0, lastMatchAt } },
    ]);
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
