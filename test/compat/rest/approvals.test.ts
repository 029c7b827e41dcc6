import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import {
  ALLOW,
  ASK,
  CHECK_PATH,
  type GatewayScene,
  createGatewayScene,
  refund,
} from "../../support/gateway-scene.ts";
import { approve } from "../../support/approve.ts";
import { expectProblem } from "../../support/problem.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const LIST = "/api/v1/operator/approvals";

let world: TestWorld;
let scene: GatewayScene;
let cookie: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createGatewayScene(world);
  await createPolicy(scene.ctx, ALLOW);
  await createPolicy(scene.ctx, ASK);
  const person = await createPerson(world.server, scene.ctx.workspaceId, { role: "operator" });
  cookie = {
    cookie: buildCookie(await beginTestSession(world.server, person)),
    origin: new URL(world.server.url).origin,
  };
});

async function ask(options?: object) {
  const { body } = await scene.agent.post(CHECK_PATH, { request: refund(), ...(options && { options }) });
  return body.check;
}

function decide(id: string, verb: string, body: object | string) {
  return createTestClient(world.server.url).post(`${LIST}/${id}/${verb}`, body, cookie);
}

describe("approvals over REST", () => {
  it("are asked by a check, approved by a person, and used once", async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ status: "pending", approval: { status: "pending", approved_until: null } });
    const { id } = asked.approval;
    const list = await createTestClient(world.server.url).get(`${LIST}?status=pending`, cookie);
    expect(list.body).toMatchObject({ count: 1, approvals: [{ id, agent_id: scene.agentId, persons: 1 }] });
    const { request_hash } = list.body.approvals[0];
    const approved = await decide(id, "approve", { request_hash, comment: "Fine." });
    expect(approved).toMatchObject({
      status: 200,
      body: { approval: { id, status: "approved", reviews: [{ verdict: "approve", comment: "Fine." }] } },
    });
    expect(await ask()).toMatchObject({
      ...{ status: "allowed", reason: "approval_granted", approval: { id, status: "approved" } },
      execution: { arguments: null },
    });
    expect((await ask()).approval.id).not.toBe(id);
  });

  it("are used by the API key that asked, also when it was rotated, and by no other of the agent", async () => {
    const { agent, ctx } = await world.another();
    await createPolicy(ctx, ASK);
    const { actor, credential } = (await agent.get("/api/v1/whoami")).body;
    const { handle } = (await agent.get(`/api/v1/agents/${actor.id}`)).body.agent;
    const secondKey = await createApiKey(ctx, {
      ...{ name: "second", agentHandle: handle, scopes: ["gateway:check"] },
    });
    const second = createTestClient(world.server.url, secondKey.secret);
    const request = refund();
    const { approval } = (await agent.post(CHECK_PATH, { request })).body.check;
    const own = (await second.post(CHECK_PATH, { request })).body.check;
    expect(own).toMatchObject({ status: "pending" });
    expect(own.approval.id).not.toBe(approval.id);
    await approve(world.server, ctx.workspaceId, approval.id);
    expect((await second.post(CHECK_PATH, { request })).body.check).toMatchObject({
      status: "pending",
      approval: { id: own.approval.id },
    });
    const named = { ...request, context: { approval: { id: approval.id } } };
    expectProblem(await second.post(CHECK_PATH, { request: named }), 403, "forbidden");
    const call = { approval_id: approval.id, request };
    expectProblem(await second.post("/api/v1/gateway/executions", call), 403, "forbidden");
    const { secret } = await rotateApiKey(ctx, credential.id, { overlapSeconds: 0 });
    const rotated = createTestClient(world.server.url, secret);
    expect((await rotated.post(CHECK_PATH, { request })).body.check).toMatchObject({
      status: "allowed",
      approval: { id: approval.id },
    });
  });

  it("are decided by no bearer", async () => {
    const { id } = (await ask()).approval;
    for (const verb of ["approve", "deny", "revoke"]) {
      const body = { approve: {}, deny: { comment: "No." }, revoke: { reason: "No." } }[verb];
      const { status } = await scene.agent.post(`${LIST}/${id}/${verb}`, body);
      expect(status).toBe(403);
      const anonymous = await createTestClient(world.server.url).post(`${LIST}/${id}/${verb}`, body);
      expect(anonymous.status).toBe(401);
    }
  });

  it("are not decided with arguments that could be read in two ways", async () => {
    const { id } = (await ask()).approval;
    for (const [text, field] of [
      ['{"amount":1,"amount":900}', "arguments"],
      ['{"amount":9007199254740993}', "arguments.amount"],
    ]) {
      const answer = await decide(id, "approve", `{"arguments":${text}}`);
      expect(answer).toMatchObject({
        status: 422,
        body: { code: "validation_failed", field: expect.stringContaining(field ?? "") },
      });
    }
  });

  it("tell the agent why a person denied, and can be revoked", async () => {
    const { id } = (await ask()).approval;
    expect(await decide(id, "deny", {})).toMatchObject({ status: 422, body: { field: "comment" } });
    expect((await decide(id, "revoke", { reason: "No." })).body).toMatchObject({ code: "invalid_state" });
    expect((await decide(id, "deny", { comment: "No receipt." })).status).toBe(200);
    expect(await ask()).toMatchObject({
      ...{ status: "denied", reason: "approval_denied" },
      approval: { id, status: "denied", comment: "No receipt." },
    });
    const own = await scene.agent.get(`/api/v1/gateway/approvals/${id}?wait=25`);
    expect(own.body.approval).toMatchObject({ id, status: "denied", comment: "No receipt." });
  });

  it("can be taken back by the agent that asked", async () => {
    const { id } = (await ask()).approval;
    const path = `/api/v1/gateway/approvals/${id}/cancel`;
    expect((await scene.agent.post(path)).body.approval).toMatchObject({ id, status: "cancelled" });
    const other = await world.agent.post(path);
    expect(other.status).toBe(404);
  });

  it("are not asked for without auto_request, and options are checked", async () => {
    expect(await ask({ auto_request: false })).toMatchObject({
      status: "denied",
      reason: "approval_required",
    });
    const bad = await scene.agent.post(CHECK_PATH, { request: refund(), options: { wait: 26 } });
    expect(bad).toMatchObject({ status: 422, body: { field: "options.wait" } });
  });
});
