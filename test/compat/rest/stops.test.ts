import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertTestAgent } from "../../support/factories.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const STOP = "/api/v1/operator/emergency_stop";
const STOPS = "/api/v1/operator/stops";
const UNKNOWN_ID = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const reason = "A drill";

let world: TestWorld;
let client: TestClient;
let headers: Record<"admin" | "operator" | "viewer", Record<string, string>>;
let agent: TestClient;
let robot: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: STOPS, scope: "agents:read" }, () => world);

beforeEach(async () => {
  const other = await world.another();
  ({ agent } = other);
  client = createTestClient(world.server.url);
  robot = await insertTestAgent(other.ctx, "robot");
  async function cookieFor(role: "admin" | "operator" | "viewer"): Promise<Record<string, string>> {
    const person = await createPerson(world.server, other.workspaceId, { role });
    return { cookie: buildCookie(await beginTestSession(world.server, person)), origin: world.server.url };
  }
  headers = {
    admin: await cookieFor("admin"),
    operator: await cookieFor("operator"),
    viewer: await cookieFor("viewer"),
  };
});

async function stopRobots(): Promise<string> {
  const { status, body } = await client.post(STOP, { reason, scope: { kind: "robot" } }, headers.operator);
  expect([status, body.workspace.emergency_stop_at]).toEqual([200, null]);
  return body.stop.id;
}

describe("POST /api/v1/operator/emergency_stop with a scope", () => {
  it("stops those agents, and is listed with who has confirmed", async () => {
    const id = await stopRobots();
    const stop = {
      id,
      scope: { kind: "robot", labels: {} },
      reason,
      agents: { total: 1, confirmed: 0, pending: 0, unreachable: 1 },
      outstanding: [{ id: robot, state: "unreachable" }],
      stages: [],
      released_at: null,
    };
    for (const answer of [await client.get(STOPS, headers.viewer), await agent.get(STOPS)]) {
      expect([answer.status, answer.body.stops]).toMatchObject([200, [stop]]);
    }
    expect((await client.get(STOP, headers.viewer)).body).toEqual({ stop: null });
    expect((await agent.get(`/api/v1/agents/${robot}`)).body.agent.control_state).toBe("stopped");
    expect((await agent.post("/api/v1/agents/self/heartbeat")).body.emergency_stop).toBe(false);
  });

  it.each([
    [{}, "scope"],
    [{ kind: "drone" }, "scope.kind"],
    [{ labels: { hall: 1 } }, "scope.labels.hall"],
  ])("rejects the scope %j", async (scope, field) => {
    expectFields(await client.post(STOP, { reason, scope }, headers.operator), field);
  });

  it("denies what its agents do with 403 emergency_stop", async () => {
    await client.post(STOP, { reason, scope: { kind: "software" } }, headers.operator);
    const token = await agent.post("/api/v1/agent_tokens", {});
    expectProblem(token, 403, "emergency_stop");
    const command = { selector: { kind: "software" }, type: "agent.resume" };
    const issued = await client.post("/api/v1/operator/agent_commands", command, headers.operator);
    expectProblem(issued, 403, "emergency_stop");
    const { body } = await agent.get("/api/v1/whoami");
    const path = `/api/v1/operator/agents/${body.actor.id}/labels`;
    const sent = { method: "PUT", body: { labels: { a: "b" } }, headers: headers.admin };
    expectProblem(await client.send(path, sent), 403, "emergency_stop");
    expect((await agent.post("/api/v1/tasks/claim", {})).status).toBe(204);
  });
});

describe("POST /api/v1/operator/stops/{id}/resume", () => {
  it("resumes some of its agents", async () => {
    const id = await stopRobots();
    const path = `${STOPS}/${id}/resume`;
    const resumed = await client.post(path, { agents: { ids: [robot] }, reason }, headers.admin);
    expect([resumed.status, resumed.body.stop]).toMatchObject([
      200,
      { id, agents: { total: 0 }, stages: [{ count: 1, reason, labels: null, percent: null }] },
    ]);
    expect((await agent.get(`/api/v1/agents/${robot}`)).body.agent.control_state).toBe("active");
  });

  it("rejects bearers, operators, unknown stops and what names no agents", async () => {
    const path = `${STOPS}/${await stopRobots()}/resume`;
    const body = { agents: { percent: 50 }, reason };
    expectProblem(await agent.post(path, body), 403, "forbidden");
    expectProblem(await client.post(path, body), 401, "unauthenticated");
    expectProblem(await client.post(path, body, headers.operator), 403, "forbidden");
    expectProblem(await client.post(`${STOPS}/${UNKNOWN_ID}/resume`, body, headers.admin), 404, "not_found");
    expectProblem(await client.post(`${STOPS}/x/resume`, body, headers.admin), 404, "not_found");
    expectFields(await client.post(path, { agents: {}, reason }, headers.admin), "agents");
    expectFields(
      await client.post(path, { agents: { percent: 101 }, reason }, headers.admin),
      "agents.percent",
    );
    expectFields(await client.post(path, { agents: { percent: 5 } }, headers.admin), "reason");
  });
});

describe("POST /api/v1/operator/stops/{id}/release", () => {
  it("releases one stop of several", async () => {
    const id = await stopRobots();
    await client.post(STOP, { reason }, headers.operator);
    const released = await client.post(`${STOPS}/${id}/release`, { reason }, headers.admin);
    expect([released.status, released.body.stop]).toMatchObject([
      200,
      { id, released_at: expect.any(String), agents: { total: 0 } },
    ]);
    expect((await client.get(STOPS, headers.viewer)).body.stops).toMatchObject([{ scope: null }]);
    expect((await agent.get(`/api/v1/agents/${robot}`)).body.agent.control_state).toBe("stopped");
    const again = await client.post(`${STOPS}/${id}/release`, { reason }, headers.admin);
    expectProblem(again, 409, "invalid_state");
  });

  it("rejects bearers, operators and unknown stops", async () => {
    const path = `${STOPS}/${await stopRobots()}/release`;
    expectProblem(await agent.post(path, { reason }), 403, "forbidden");
    expectProblem(await client.post(path, { reason }), 401, "unauthenticated");
    expectProblem(await client.post(path, { reason }, headers.operator), 403, "forbidden");
    const unknown = await client.post(`${STOPS}/${UNKNOWN_ID}/release`, { reason }, headers.admin);
    expectProblem(unknown, 404, "not_found");
  });
});
