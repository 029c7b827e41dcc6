import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent } from "../../support/factories.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const AGENTS = "/api/v1/agents";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: AGENTS, scope: "agents:read" }, () => world);
describeGuard({ path: "/api/v1/operator/emergency_stop", scope: "agents:read" }, () => world);
describeGuard({ path: `${AGENTS}/${UNKNOWN_ID}`, scope: "agents:read" }, () => world);
describeGuard({ method: "PUT", path: `${AGENTS}/self` }, () => world);
describeGuard({ method: "POST", path: `${AGENTS}/self/heartbeat` }, () => world);

describe("PUT /api/v1/agents/self", () => {
  const profile = {
    name: "Billing bot",
    version: "2.1.0",
    description: "Refunds orders",
    capabilities: [{ type: "custom.refund", params_schema: { type: "object", required: ["order"] } }],
  };

  it("stores the caller's profile", async () => {
    const { status, body } = await world.agent.send(`${AGENTS}/self`, { method: "PUT", body: profile });
    expect(status).toBe(200);
    expect(body.agent).toMatchObject({
      ...profile,
      handle: "primary",
      kind: "software",
      control_state: "active",
    });
    const read = await world.agent.get(`${AGENTS}/${body.agent.id}`);
    expect(read.body.agent).toMatchObject(profile);
  });

  it.each([
    ["name", { name: "" }],
    ["capabilities", { capabilities: {} }],
    ["capabilities.0.type", { capabilities: [{ type: "Upper" }] }],
  ])("rejects a wrong %s", async (field, body) => {
    expectFields(await world.agent.send(`${AGENTS}/self`, { method: "PUT", body }), field);
  });

  it("takes no labels: policies, budgets and stops for them bind the agent", async () => {
    const labels = { team: "billing" };
    const answer = await world.agent.send(`${AGENTS}/self`, { method: "PUT", body: { labels } });
    expectProblem(answer, 422, "unknown_field");
  });
});

describe("POST /api/v1/agents/self/heartbeat", () => {
  it("returns the caller's control state, with or without a body", async () => {
    for (const body of [undefined, {}]) {
      const answer = await world.agent.post(`${AGENTS}/self/heartbeat`, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        control_state: "active",
        emergency_stop: false,
        pending_commands: 0,
        server_time: expect.any(String),
      });
    }
  });
});

describe("GET /api/v1/agents", () => {
  it("returns the page's position in the list", async () => {
    const { agent, ctx } = await world.another();
    await insertTestAgent(ctx);
    const robot = await insertTestAgent(ctx, "robot");
    const { body, headers } = await agent.get(`${AGENTS}?limit=1`);
    expect(body).toMatchObject({ count: 1, agents: [{ id: robot, kind: "robot", presence: "offline" }] });
    expect(body.pagination).toEqual({ limit: 1, offset: 0, total: 3, has_more: true, next_offset: 1 });
    expect(headers.get("link")).toContain('rel="next"');
    expect((await agent.get(`${AGENTS}?kind=robot`)).body.pagination.total).toBe(1);
  });

  it("ends a page at 4 MiB of capabilities", async () => {
    const { agent, ctx } = await world.another();
    await world.server.database.query(
      `INSERT INTO agent (workspace_id, id, handle, name, capabilities)
       SELECT $1::uuid, gen_random_uuid(), 'a' || n, 'a' || n, jsonb_build_array(jsonb_build_object('type', repeat('x', 65000)))
       FROM generate_series(1, 99) n`,
      [ctx.workspaceId],
    );
    const { body: first } = await agent.get(`${AGENTS}?limit=100`);
    expect(first).toMatchObject({ count: 65, pagination: { has_more: true, next_offset: 65 } });
    const { body: second } = await agent.get(`${AGENTS}?limit=100&offset=65`);
    expect(second).toMatchObject({ count: 35, pagination: { has_more: false } });
    const ids = [...first.agents, ...second.agents].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(100);
  });

  it.each([
    "limit=0",
    "limit=101",
    "offset=-1",
    "kind=drone",
    "label=x",
    "label=",
    "label=a=%00",
    `label=a=${"x".repeat(65)}`,
  ])("rejects %s", async (query) => {
    expectProblem(await world.agent.get(`${AGENTS}?${query}`), 400, "invalid_parameter");
  });

  it("responds alike to an unknown id, a malformed one and one of another workspace", async () => {
    const unknown = await world.agent.get(`${AGENTS}/${UNKNOWN_ID}`);
    expectProblem(unknown, 404, "not_found");
    const foreign = await world.agent.get(`${AGENTS}/${await insertTestAgent((await world.another()).ctx)}`);
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown));
    expectProblem(await world.agent.get(`${AGENTS}/x`), 404, "not_found");
  });
});

describe("the routes of operators", () => {
  async function cookieFor(role: "admin" | "operator" | "viewer"): Promise<Record<string, string>> {
    const person = await createPerson(world.server, world.workspaceId, { role });
    return { cookie: buildCookie(await beginTestSession(world.server, person)), origin: world.server.url };
  }

  const reason = "A drill";

  it("stop and resume agents with a user's session", async () => {
    const id = await insertTestAgent(world.ctx);
    const client = createTestClient(world.server.url);
    const [operator, admin] = [await cookieFor("operator"), await cookieFor("admin")];
    const control = `/api/v1/operator/agents/${id}/control`;
    const paused = await client.post(control, { control_state: "paused", reason }, operator);
    expect([paused.status, paused.body.agent]).toMatchObject([200, { id, control_state: "paused" }]);
    const stopped = await client.post("/api/v1/operator/emergency_stop", { reason }, operator);
    expect([stopped.status, stopped.body.workspace]).toMatchObject([
      200,
      { id: world.workspaceId, emergency_stop_reason: reason, emergency_stop_at: expect.any(String) },
    ]);
    const update = {
      id: expect.any(String),
      at: stopped.body.workspace.emergency_stop_at,
      by: { type: "user", name: expect.any(String) },
      reason,
      agents: { total: 5, confirmed: 0, pending: 4, unreachable: 1 },
      outstanding: expect.arrayContaining([
        { id, name: "An agent", kind: "software", state: "unreachable", last_seen_at: null },
        expect.objectContaining({ name: "Billing bot", state: "pending" }),
      ]),
    };
    expect(stopped.body.stop).toMatchObject(update);
    const stop = "/api/v1/operator/emergency_stop";
    for (const answer of [await client.get(stop, operator), await world.agent.get(stop)]) {
      expect([answer.status, answer.body.stop]).toMatchObject([200, update]);
    }
    const shown = await world.agent.get(`${AGENTS}/${id}`);
    expect(shown.body.agent).toMatchObject({ control_state: "stopped", stop_state: "unreachable" });
    const heartbeat = await world.agent.post(`${AGENTS}/self/heartbeat`);
    expect(heartbeat.body).toMatchObject({
      control_state: "stopped",
      emergency_stop: true,
      pending_commands: 1,
    });
    const release = "/api/v1/operator/emergency_stop/release";
    expectProblem(await client.post(release, { reason }, operator), 403, "forbidden");
    const released = await client.post(release, { reason }, admin);
    expect([released.status, released.body.workspace.emergency_stop_at]).toEqual([200, null]);
    expect((await client.get(stop, operator)).body).toEqual({ stop: null });
    const again = await world.agent.get(`${AGENTS}/${id}`);
    expect(again.body.agent).toMatchObject({ control_state: "paused", stop_state: null });
    expectProblem(await client.post(release, { reason }, admin), 409, "invalid_state");
  });

  it("label agents with an admin's session", async () => {
    const id = await insertTestAgent(world.ctx);
    const client = createTestClient(world.server.url);
    const path = `/api/v1/operator/agents/${id}/labels`;
    const put = (labels: unknown, headers?: Record<string, string>) =>
      client.send(path, { method: "PUT", body: { labels }, ...(headers && { headers }) });
    const [operator, admin] = [await cookieFor("operator"), await cookieFor("admin")];
    const labels = { team: "shipping" };
    const answer = await put(labels, admin);
    expect([answer.status, answer.body.agent]).toMatchObject([200, { id, labels }]);
    const listed = await world.agent.get(`${AGENTS}?label=team=shipping&kind=software`);
    expect(listed.body).toMatchObject({ count: 1, pagination: { total: 1 }, agents: [{ id, labels }] });
    expectFields(await put({ a: 1 }, admin), "labels.a");
    expectProblem(await put({}, operator), 403, "forbidden");
    expectProblem(await put({}), 401, "unauthenticated");
    const byAgent = await world.agent.send(path, { method: "PUT", body: { labels: {} } });
    expectProblem(byAgent, 403, "forbidden");
  });

  it("reject bearers, viewers, other sites and invalid bodies", async () => {
    const client = createTestClient(world.server.url);
    const [operator, viewer] = [await cookieFor("operator"), await cookieFor("viewer")];
    const stop = "/api/v1/operator/emergency_stop";
    expectProblem(await world.agent.post(stop, { reason }), 403, "forbidden");
    expectProblem(await client.post(stop, { reason }), 401, "unauthenticated");
    expectProblem(await client.post(stop, { reason }, viewer), 403, "forbidden");
    expectProblem(
      await client.post(stop, { reason }, { ...operator, origin: "https://example.com" }),
      403,
      "forbidden",
    );
    expectFields(await client.post(stop, {}, operator), "reason");
    const control = `/api/v1/operator/agents/${UNKNOWN_ID}/control`;
    expectFields(await client.post(control, { control_state: "asleep" }, operator), "control_state");
    expectProblem(await client.post(control, { control_state: "paused" }, operator), 404, "not_found");
  });
});
