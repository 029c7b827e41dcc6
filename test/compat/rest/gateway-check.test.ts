import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/gateway/check";

let world: TestWorld;
let ctx: Ctx;
/** An agent of a fresh workspace, with a token. */
let agent: TestClient;
let agentId: string;
let token: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const fresh = await world.another();
  ({ ctx } = fresh);
  ({ agent, agentId, token } = await enrol(fresh.agent, "billing-7", "software"));
});

async function enrol(key: TestClient, handle: string, kind: string) {
  const { body } = await key.post("/api/v1/agent_tokens", { agent: { handle, kind } });
  return {
    agent: createTestClient(world.server.url, body.token),
    agentId: body.agent_id as string,
    token: body.token as string,
  };
}

function refund(args: unknown = { amount: 900 }, extra: object = {}) {
  return {
    action: { name: "tools/call", properties: { arguments: args } },
    resource: { type: "tool", id: "stripe.refund" },
    ...extra,
  };
}

async function check(request: unknown, client = agent) {
  const { status, body } = await client.post(PATH, { request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.check as { id: string; status: string; reason: string; policies: string[] | null };
}

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

const ALLOW: PolicyRuleInput = { name: "tools", effect: "allow", actions: ["tools/call"] };
const ASK: PolicyRuleInput = {
  ...{ name: "refunds over 500", effect: "ask", actions: ["tools/call"] },
  resources: [{ type: "tool", name: "stripe.refund*" }],
  when: "has(args.amount) && args.amount > 500",
};

describe("POST /api/v1/gateway/check", () => {
  it("denies without policies, and allows what one allows", async () => {
    expect(await check(refund())).toMatchObject({ status: "denied", reason: "default_deny" });
    await createPolicy(ctx, ALLOW);
    expect(await check(refund())).toMatchObject({ status: "allowed", reason: "policy_allow" });
  });

  it("decides by the arguments, and names the policies to those who may read them", async () => {
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, ASK);
    expect(await check(refund({ amount: 400 }))).toMatchObject({ status: "allowed" });
    expect(await check(refund({ amount: 900 }))).toMatchObject({
      ...{ status: "denied", reason: "approval_required", policies: ["refunds over 500"] },
    });
    expect(await check(refund({ amount: "900" }))).toMatchObject({
      status: "denied",
      reason: "policy_error",
    });
    const { action, resource } = refund();
    expect(await check({ resource, action: { name: action.name } })).toMatchObject({
      ...{ status: "denied", reason: "arguments_missing" },
    });
  });

  it("decides at once by a policy that was changed, on every node", async () => {
    const second: TestServer = await startOn(world.server.database);
    try {
      const there = createTestClient(second.url, token);
      expect(await check(refund(), there)).toMatchObject({ status: "denied" });
      const { id } = await createPolicy(ctx, ALLOW);
      expect(await check(refund(), there)).toMatchObject({ status: "allowed" });
      await deletePolicy(ctx, { id });
      expect(await check(refund(), there)).toMatchObject({ status: "denied" });
    } finally {
      await second.stop();
    }
  });

  it("knows the caller by its handle, labels and kind", async () => {
    await createPolicy(ctx, {
      ...ALLOW,
      subjects: [{ type: "agent", name: "billing-*", labels: { team: "finance" }, kind: "software" }],
      when: 'agent.handle == "billing-7" && environment == "production"',
    });
    expect(await check(refund())).toMatchObject({ reason: "default_deny" });
    const labels = { team: "finance", env: "production" };
    expect((await agent.send("/api/v1/agents/self", { method: "PUT", body: { labels } })).status).toBe(200);
    expect(await check(refund())).toMatchObject({ reason: "policy_allow" });
    expect(await check(refund({}, { subject: { type: "agent", id: agentId } }))).toMatchObject({
      ...{ reason: "policy_allow" },
    });
  });

  it("allows commands to agents by default, and policies narrow that", async () => {
    const robot = await insertTestAgent(ctx, "robot");
    const dock = { action: { name: "robot.dock" }, resource: { type: "robot", id: robot } };
    expect(await check(dock)).toMatchObject({ status: "allowed", reason: "default_allow" });
    expect(await check({ ...dock, resource: { type: "tool", id: "x" } })).toMatchObject({
      reason: "default_deny",
    });
    await createPolicy(ctx, {
      ...{ name: "no docking", effect: "deny", actions: ["commands"] },
      resources: [{ type: "agent", kind: "robot" }],
    });
    expect(await check(dock)).toMatchObject({ status: "denied", reason: "policy_deny" });
  });

  it("denies everything to a paused or stopped agent, and during an emergency stop", async () => {
    await createPolicy(ctx, ALLOW);
    await setAgentControlState(ctx, { id: agentId, controlState: "paused", reason: "x" });
    expect(await check(refund())).toMatchObject({ status: "denied", reason: "agent_paused" });
    await setAgentControlState(ctx, { id: agentId, controlState: "stopped", reason: "x" });
    expect(await check(refund())).toMatchObject({ status: "denied", reason: "agent_stopped" });
    await setAgentControlState(ctx, { id: agentId, controlState: "active", reason: "x" });
    expect(await check(refund())).toMatchObject({ status: "allowed" });
    await emergencyStop(ctx, { reason: "x" });
    expect(await check(refund())).toMatchObject({ status: "denied", reason: "emergency_stop" });
  });
});

describe("another subject", () => {
  it("needs gateway:delegate", async () => {
    await createPolicy(ctx, { ...ALLOW, subjects: [{ type: "user", name: "ada" }] });
    const other = await insertTestAgent(ctx);
    for (const subject of [
      { type: "user", id: "ada" },
      { type: "agent", id: other },
      { type: "agent", id: "billing-7" },
    ]) {
      const key = await world.agentWith("gateway:check");
      const { status, body } = await key.post(PATH, { request: refund({}, { subject }) });
      expect({ status, body }).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    }
    expect(await check(refund({}, { subject: { type: "user", id: "ada" } }))).toMatchObject({
      status: "allowed",
    });
    expect(await check(refund({}, { subject: { type: "user", id: "eve" } }))).toMatchObject({
      status: "denied",
    });
    const { status, body } = await agent.post(PATH, {
      request: refund({}, { subject: { type: "member", id: "x" } }),
    });
    expect({ status, field: body.field }).toEqual({ status: 422, field: "request.subject.type" });
  });

  it("is stopped as if it asked itself", async () => {
    await createPolicy(ctx, ALLOW);
    const other = await insertTestAgent(ctx);
    await setAgentControlState(ctx, { id: other, controlState: "stopped", reason: "x" });
    const asked = await check(refund({}, { subject: { type: "agent", id: other } }));
    expect(asked).toMatchObject({ reason: "agent_stopped" });
    expect(await readDecision(asked.id)).toMatchObject({
      agent_id: agentId,
      subject: { type: "agent", id: other },
    });
  });
});

const TOOL = '"resource":{"type":"tool","id":"x"}';

describe("a request that is rejected", () => {
  it.each([
    [{ action: undefined }, 422, "request.action"],
    [{ action: { name: "" } }, 422, "request.action.name"],
    [{ action: { name: "x".repeat(257) } }, 422, "request.action.name"],
    [{ action: { name: "x", properties: [] } }, 422, "request.action.properties"],
    [{ action: { name: "x", argumnets: {} } }, 422, "request.action.argumnets"],
    [{ resource: { type: "a b", id: "x" } }, 422, "request.resource.type"],
    [{ resource: { type: "tool" } }, 422, "request.resource.id"],
    [{ context: { task_id: "x" } }, 422, "request.context.task_id"],
    [{ context: { task_id: crypto.randomUUID() } }, 422, "request.context.task_id"],
  ])("for %j: %i %s", async (...[extra, status, field]) => {
    const answer = await agent.post(PATH, { request: { ...refund(), ...extra } });
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status, field });
  });

  it.each([
    [`{"request":{"action":{"name":"a","name":"b"},${TOOL}}}`, "request.action.name"],
    [`{"request":{"action":{"name":"a"},${TOOL},"context":{"n":9007199254740993}}}`, "request.context.n"],
    [`{"request":{},"request":{"action":{"name":"a"},${TOOL}}}`, "request"],
  ])("since its text could mean two things: %s", async (...[body, field]) => {
    const answer = await agent.send(PATH, { method: "POST", body });
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status: 422, field });
  });

  it("of more than 256 KiB is too large", async () => {
    const answer = await agent.post(PATH, { request: refund({ text: "x".repeat(262_144) }) });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 413,
      code: "payload_too_large",
    });
  });

  it("needs gateway:check", async () => {
    const key = await world.agentWith("gateway:read");
    expect((await key.post(PATH, { request: refund() })).status).toBe(403);
  });
});

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
    const { body } = await agent.post(PATH, { request }, { traceparent });
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

  it("has no request of more than 16 KiB, but its hash", async () => {
    const { id } = await check(refund({ text: "x".repeat(20_000) }));
    const row = await readDecision(id);
    expect(row["request"]).toBeNull();
    expect(row["request_hash"]).toHaveLength(32);
  });

  it("hashes equal requests alike, whatever their members' order", async () => {
    const hashOf = async (request: unknown) => {
      const { request_hash: hash } = await readDecision((await check(request)).id);
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
    const allowed = await check(refund());
    const denied = await check({ ...refund(), action: { name: "other" } });
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
