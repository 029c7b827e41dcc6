import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { refund } from "../../support/gateway-scene.ts";
import { startNode } from "../../support/node-process.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/gateway/executions";

let world: TestWorld;
let second: TestServer;
let scene: ApprovalScene;
let ctx: Ctx;
let agent: TestClient;
let there: TestClient;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

beforeEach(async () => {
  scene = await createApprovalScene(world);
  ({ ctx, agentId } = scene);
  [agent, there] = createClients(scene);
});

/** The agent on each node. */
function createClients({ token }: ApprovalScene): [here: TestClient, there: TestClient] {
  return [createTestClient(world.server.url, token), createTestClient(second.url, token)];
}

type Approved = { approval_id: string; request: object };

let amount = 500;

/** Has a person approve another refund. */
async function approve({ approved } = scene): Promise<Approved> {
  const request = refund({ amount: ++amount });
  return { approval_id: await approved(request), request };
}

function redeem(client: TestClient, approved: Approved, key?: string) {
  return client.post(PATH, approved, key === undefined ? {} : { "idempotency-key": key });
}

describe("POST /api/v1/gateway/executions", () => {
  it("opens an execution that its agent can read, extend, and complete", async () => {
    const started = await redeem(agent, await approve());
    expect(started).toMatchObject({
      status: 201,
      body: { execution: { status: "started", use_number: 1, agent_id: agentId, arguments: null } },
    });
    const { id, fence, lease_expires_at: leaseExpiresAt } = started.body.execution;
    expect(started.headers.get("location")).toBe(`${PATH}/${id}`);
    expect((await agent.get(`${PATH}/${id}`)).body).toEqual(started.body);
    const beat = await agent.post(`${PATH}/${id}/heartbeat`, { fence });
    expect(beat).toMatchObject({ status: 200, body: { control_state: "active" } });
    expect(beat.body.lease_expires_at >= leaseExpiresAt).toBe(true);
    const done = await agent.post(`${PATH}/${id}/complete`, { fence, result: { refund: "re_3Q" } });
    expect(done).toMatchObject({ status: 200, body: { execution: { status: "completed" } } });
    const late = await agent.post(`${PATH}/${id}/fail`, { fence, error: { message: "x" }, effect: "none" });
    expect(late).toMatchObject({ status: 409, body: { code: "invalid_state", current_status: "completed" } });
    const listed = await agent.get(`${PATH}?status=completed`);
    expect(listed.body).toMatchObject({ executions: [{ id }], pagination: { total: 1 } });
  });

  it("says of a used approval which execution used it", async () => {
    const approved = await approve();
    const { id } = (await redeem(agent, approved)).body.execution;
    expect(await redeem(agent, approved)).toMatchObject({
      status: 409,
      body: { code: "already_executed", execution_id: id, current_status: "started" },
    });
  });

  it("rejects malformed bodies, unknown fields, no approval and both kinds", async () => {
    const approved = await approve();
    const { approval_id: approvalId, request } = approved;
    const bodies: [object, number][] = [
      [{ request }, 422],
      [{ approval_id: approvalId, decision_id: approvalId, request }, 422],
      [{ approval_id: "x", request }, 422],
      [{ approval_id: approvalId }, 422],
      [{ approval_id: approvalId, request, lease_s: 9 }, 422],
      [{ approval_id: approvalId, request, leaseS: 60 }, 422],
    ];
    for (const [body, status] of bodies) {
      expect((await agent.post(PATH, body)).status, JSON.stringify(body)).toBe(status);
    }
    expect((await createTestClient(world.server.url).post(PATH, {})).status).toBe(401);
    expect((await redeem(agent, approved)).status).toBe(201);
  });

  it.each([1, 5])("of 100 at once on two nodes, %i succeed with as many uses", async (uses) => {
    const usable = await createApprovalScene(world, { uses });
    const [one, other] = createClients(usable);
    const approved = await approve(usable);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => redeem(n % 2 === 0 ? one : other, approved)),
    );
    const started = answers.filter(({ status }) => status === 201);
    expect(started).toHaveLength(uses);
    expect(new Set(started.map(({ body }) => body.execution.use_number))).toEqual(
      new Set(Array.from({ length: uses }, (_, n) => n + 1)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["already_executed"]));
    expect(await usable.ctx.db.execution.count({ where: { approvalId: approved.approval_id } })).toBe(uses);
  });

  it("gives the same execution for the same Idempotency-Key, and keeps none of a refusal", async () => {
    const [approved, key] = [await approve(), crypto.randomUUID()];
    const first = await redeem(agent, approved, key);
    const again = await redeem(there, approved, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await redeem(agent, await approve(), key)).body.code).toBe("idempotency_mismatch");
    const request = refund({ amount: ++amount });
    const pending = { approval_id: await scene.request(request), request };
    const other = crypto.randomUUID();
    expect((await redeem(agent, pending, other)).body.code).toBe("approval_required");
    await grantApproval(await scene.person(), { id: pending.approval_id });
    expect((await redeem(agent, pending, other)).status).toBe(201);
  });

  it("grants no second execution after its node was killed: a retry on another gets the first one", async () => {
    const node = await startNode(world.server.database.url);
    const doomed = createTestClient(node.url, scene.token);
    onTestFinished(() => node.kill());
    const approvals: Approved[] = [];
    while (approvals.length < 24) approvals.push(await approve());
    const answered = new Map<string, string>();
    const kills: Promise<void>[] = [];
    const calls = approvals.map(async (approved) => {
      const id = approved.approval_id;
      const answer = await redeem(doomed, approved, id).catch(() => null);
      if (answer?.status === 201) answered.set(id, answer.body.execution.id);
      if (answered.size >= 5 && kills.length === 0) kills.push(node.kill());
    });
    await Promise.all(calls);
    await Promise.all(kills);
    expect(kills).toHaveLength(1);
    for (const approved of approvals) {
      const id = approved.approval_id;
      const { status, body } = await redeem(agent, approved, id);
      expect(status).toBe(201);
      expect(body.execution.id).toBe(answered.get(id) ?? body.execution.id);
    }
    const rows = await world.server.database.query<{ uses: number; executions: number }>(
      `SELECT a.used_count AS uses, (SELECT count(*)::int FROM execution e WHERE e.approval_id = a.id) AS executions
       FROM approval a WHERE a.id = ANY ($1)`,
      [approvals.map((approved) => approved.approval_id)],
    );
    expect(rows).toEqual(approvals.map(() => ({ uses: 1, executions: 1 })));
  });
});

describe("POST /api/v1/operator/executions/{id}/resolve", () => {
  it("is for people: not for agents, and not without a session", async () => {
    const { id, fence } = (await redeem(agent, await approve())).body.execution;
    await agent.post(`${PATH}/${id}/fail`, { fence, error: { message: "x" }, effect: "unknown" });
    const path = `/api/v1/operator/executions/${id}`;
    const body = { outcome: "retried", reason: "It never reached the bank." };
    expect((await agent.post(`${path}/resolve`, body)).body.code).toBe("forbidden");
    const person = await createPerson(world.server, ctx.workspaceId, { role: "operator" });
    const headers = {
      cookie: buildCookie(await beginTestSession(world.server, person)),
      origin: world.server.url,
    };
    const operator = createTestClient(world.server.url);
    expect((await operator.post(`${path}/resolve`, { ...body, reason: "" }, headers)).status).toBe(422);
    const resolved = await operator.post(`${path}/resolve`, body, headers);
    expect(resolved).toMatchObject({
      status: 200,
      body: { execution: { id, status: "retried" }, retry: { retry_of: id, status: "started" } },
    });
    expect(resolved.body.retry.fence).toBeGreaterThan(fence);
    expect((await operator.get(path, headers)).body.execution).toMatchObject({
      resolved_by: { type: "user" },
      resolved_reason: body.reason,
    });
    const listed = await operator.get(`/api/v1/operator/executions?agent_id=${agentId}`, headers);
    expect(listed.body.count).toBe(2);
  });
});
