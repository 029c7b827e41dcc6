import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { setAgentLabels } from "../../../src/domain/agents/set-agent-labels.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import {
  ALLOW,
  ASK,
  CHECK_PATH,
  type GatewayScene,
  check,
  createGatewayScene,
  refund,
} from "../../support/gateway-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: GatewayScene;
let ctx: Ctx;
let agent: TestClient;
let agentId: string;
let token: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createGatewayScene(world);
  ({ ctx, agent, agentId, token } = scene);
});

describe("POST /api/v1/gateway/check", () => {
  it("denies without policies, and allows what one allows", async () => {
    expect(await check(agent, refund())).toMatchObject({ status: "denied", reason: "default_deny" });
    await createPolicy(ctx, ALLOW);
    expect(await check(agent, refund())).toMatchObject({ status: "allowed", reason: "policy_allow" });
  });

  it("decides by the arguments, and names the policies to those who may read them", async () => {
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, ASK);
    expect(await check(agent, refund({ amount: 400 }))).toMatchObject({ status: "allowed" });
    expect(await check(agent, refund({ amount: 900 }))).toMatchObject({
      ...{ status: "pending", reason: "approval_required", policies: ["refunds over 500"] },
    });
    expect(await check(agent, refund({ amount: "900" }))).toMatchObject({
      status: "denied",
      reason: "policy_error",
    });
    const { action, resource } = refund();
    expect(await check(agent, { resource, action: { name: action.name } })).toMatchObject({
      ...{ status: "denied", reason: "arguments_missing" },
    });
  });

  it("decides at once by a policy that was changed, on every node", async () => {
    const second: TestServer = await startOn(world.server.database);
    try {
      const there = createTestClient(second.url, token);
      expect(await check(there, refund())).toMatchObject({ status: "denied" });
      const { id } = await createPolicy(ctx, ALLOW);
      expect(await check(there, refund())).toMatchObject({ status: "allowed" });
      await deletePolicy(ctx, { id });
      expect(await check(there, refund())).toMatchObject({ status: "denied" });
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
    expect(await check(agent, refund())).toMatchObject({ reason: "default_deny" });
    const labels = { team: "finance", env: "production" };
    await setAgentLabels(ctx, { id: agentId, labels });
    expect(await check(agent, refund())).toMatchObject({ reason: "policy_allow" });
    expect(await check(agent, refund({}, { subject: { type: "agent", id: agentId } }))).toMatchObject({
      ...{ reason: "policy_allow" },
    });
  });

  it("allows commands to agents by default, and policies narrow that", async () => {
    const robot = await insertTestAgent(ctx, "robot");
    const dock = { action: { name: "robot.dock" }, resource: { type: "robot", id: robot } };
    expect(await check(agent, dock)).toMatchObject({ status: "allowed", reason: "default_allow" });
    expect(await check(agent, { ...dock, resource: { type: "tool", id: "x" } })).toMatchObject({
      reason: "default_deny",
    });
    await createPolicy(ctx, {
      ...{ name: "no docking", effect: "deny", actions: ["commands"] },
      resources: [{ type: "agent", kind: "robot" }],
    });
    expect(await check(agent, dock)).toMatchObject({ status: "denied", reason: "policy_deny" });
  });

  it("denies everything to a paused or stopped agent, and during an emergency stop", async () => {
    await createPolicy(ctx, ALLOW);
    await setAgentControlState(ctx, { id: agentId, controlState: "paused", reason: "x" });
    expect(await check(agent, refund())).toMatchObject({ status: "denied", reason: "agent_paused" });
    await setAgentControlState(ctx, { id: agentId, controlState: "stopped", reason: "x" });
    expect(await check(agent, refund())).toMatchObject({ status: "denied", reason: "agent_stopped" });
    await setAgentControlState(ctx, { id: agentId, controlState: "active", reason: "x" });
    expect(await check(agent, refund())).toMatchObject({ status: "allowed" });
    await emergencyStop(ctx, { reason: "x" });
    expect(await check(agent, refund())).toMatchObject({ status: "denied", reason: "emergency_stop" });
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
      const { status, body } = await key.post(CHECK_PATH, { request: refund({}, { subject }) });
      expect({ status, body }).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    }
    expect(await check(agent, refund({}, { subject: { type: "user", id: "ada" } }))).toMatchObject({
      status: "allowed",
    });
    expect(await check(agent, refund({}, { subject: { type: "user", id: "eve" } }))).toMatchObject({
      status: "denied",
    });
    const { status, body } = await agent.post(CHECK_PATH, {
      request: refund({}, { subject: { type: "member", id: "x" } }),
    });
    expect({ status, field: body.field }).toEqual({ status: 422, field: "request.subject.type" });
  });

  it("is not the caller, by its id or handle, as an agent, a robot or an identity", async () => {
    await createPolicy(ctx, { ...ALLOW, subjects: [{ type: "agent", name: "billing-7" }] });
    const self = await scene.agentWith("gateway:check");
    for (const type of ["agent", "robot", "identity"]) {
      for (const id of [agentId, agentId.toUpperCase(), "billing-7"]) {
        expect(await check(self, refund({}, { subject: { type, id } }))).toMatchObject({
          status: "allowed",
        });
      }
    }
    const { status } = await self.post(CHECK_PATH, {
      request: refund({}, { subject: { type: "user", id: "billing-7" } }),
    });
    expect(status).toBe(403);
  });

  it.each(["agent", "robot", "identity"])(
    "of type %s that is no agent or archived is denied",
    async (type) => {
      await createPolicy(ctx, ALLOW);
      const other = await insertTestAgent(ctx);
      const subject = { type, id: other };
      expect(await check(agent, refund({}, { subject }))).toMatchObject({ status: "allowed" });
      await world.server.database.query("UPDATE agent SET archived_at = now() WHERE id = $1", [other]);
      expect(await check(agent, refund({}, { subject }))).toMatchObject({ reason: "agent_stopped" });
      const unknown = { type, id: "nobody" };
      expect(await check(agent, refund({}, { subject: unknown }))).toMatchObject({
        reason: "request_unusable",
      });
    },
  );

  it("is not an agent whose handle is the caller's id", async () => {
    const other = await insertTestAgent(ctx);
    const rename = `UPDATE agent SET handle = $1, labels = '{"team":"finance"}' WHERE id = $2`;
    await world.server.database.query(rename, [agentId, other]);
    // A row that was written last is found last.
    await world.server.database.query("UPDATE agent SET name = name WHERE id = $1", [agentId]);
    await createPolicy(ctx, { ...ALLOW, subjects: [{ type: "agent", labels: { team: "finance" } }] });
    for (const subject of [{ type: "agent", id: agentId }, undefined]) {
      expect(await check(agent, refund({}, { subject }))).toMatchObject({ reason: "default_deny" });
    }
  });

  it("is stopped as if it asked itself", async () => {
    await createPolicy(ctx, ALLOW);
    const other = await insertTestAgent(ctx);
    await setAgentControlState(ctx, { id: other, controlState: "stopped", reason: "x" });
    const asked = await check(agent, refund({}, { subject: { type: "agent", id: other } }));
    expect(asked).toMatchObject({ reason: "agent_stopped" });
    const find = "SELECT agent_id, subject FROM decision WHERE id = $1";
    expect(await world.server.database.query(find, [asked.id])).toEqual([
      { agent_id: agentId, subject: { type: "agent", id: other } },
    ]);
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
    const answer = await agent.post(CHECK_PATH, { request: { ...refund(), ...extra } });
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status, field });
  });

  it.each([
    [`{"request":{"action":{"name":"a","name":"b"},${TOOL}}}`, "request.action.name"],
    [`{"request":{"action":{"name":"a"},${TOOL},"context":{"n":9007199254740993}}}`, "request.context.n"],
    [`{"request":{},"request":{"action":{"name":"a"},${TOOL}}}`, "request"],
  ])("since its text could mean two things: %s", async (...[body, field]) => {
    const answer = await agent.send(CHECK_PATH, { method: "POST", body });
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status: 422, field });
  });

  it("of more than 256 KiB is too large", async () => {
    const answer = await agent.post(CHECK_PATH, { request: refund({ text: "x".repeat(262_144) }) });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 413,
      code: "payload_too_large",
    });
  });

  it("needs gateway:check", async () => {
    const key = await world.agentWith("gateway:read");
    expect((await key.post(CHECK_PATH, { request: refund() })).status).toBe(403);
  });
});
