import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { STATE_2, STATE_3 } from "../../domain/robots/vda-states.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const STATE = "/api/v1/robots/self/state";
const VDA = "/api/v1/robots/self/vda5050/state";

let world: TestWorld;
let robot: TestClient;
let robotId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const agent = { handle: `r-${crypto.randomUUID()}`, kind: "robot" };
  const { body } = await world.agent.post("/api/v1/agent_tokens", { agent });
  robotId = body.agent_id;
  robot = createTestClient(world.server.url, body.token);
});

describeGuard({ method: "PUT", path: STATE, scope: "robots:report" }, () => world);
describeGuard({ method: "POST", path: VDA, scope: "robots:report" }, () => world);
describeGuard(
  { path: "/api/v1/robots/00000000-0000-4000-8000-000000000000", scope: "robots:read" },
  () => world,
);

function put(client: TestClient, body: unknown): Promise<TestAnswer> {
  return client.send(STATE, { method: "PUT", body });
}

async function readRobot(): Promise<Record<string, unknown>> {
  const { status, body } = await world.agent.get(`/api/v1/robots/${robotId}`);
  expect(status).toBe(200);
  return body.robot;
}

describe(`PUT ${STATE}`, () => {
  it("accepts a robot's state and returns its control state", async () => {
    const state = {
      state_seq: 1042,
      operating_mode: "automatic",
      battery_percent: 71.5,
      charging: false,
      driving: true,
      paused: false,
      emergency_stop: "none",
      position: { x: 3.2, y: -1.1, theta: 1.57, map_id: "floor-1", localized: true },
      errors: [{ type: "LOW_BATTERY", level: "urgent", hint: "Return to dock" }],
    };
    const answer = await put(robot, state);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ applied: true, control_state: "active" });
    expect(await readRobot()).toMatchObject({ ...state, id: robotId, status: "executing" });
    expect((await put(robot, state)).body).toEqual({ applied: false, control_state: "active" });
  });

  it("rejects an agent that is not a robot", async () => {
    expectProblem(await put(world.agent, { state_seq: 1, operating_mode: "automatic" }), 409, "not_a_robot");
  });

  it("rejects an invalid body and names the fields", async () => {
    expectFields(await put(robot, {}), "state_seq", "operating_mode");
    const state = { state_seq: 1, operating_mode: "automatic" };
    expectFields(await put(robot, { ...state, battery_percent: 101 }), "battery_percent");
    expectFields(await put(robot, { ...state, position: { x: 1 } }), "position.y");
    expectFields(await put(robot, { ...state, errors: [{ type: "x", level: "bad" }] }), "errors.0.level");
    expectFields(await put(robot, { ...state, loads: [{ text: "x".repeat(5000) }] }), "loads.0");
    expectFields(await put(robot, { ...state, velocity: { vx: "1" } }), "velocity.vx");
  });

  it("rejects errors of more than 256 KiB", async () => {
    const references = Array.from({ length: 32 }, () => ({ key: "k", value: "x".repeat(2000) }));
    const errors = Array.from({ length: 5 }, (_, n) => ({ type: `e${n}`, level: "fatal", references }));
    const state = { state_seq: 1, operating_mode: "automatic" };
    expectFields(await put(robot, { ...state, errors }), "errors");
    expect((await put(robot, { ...state, errors: errors.slice(1) })).status).toBe(200);
  });
});

describe(`POST ${VDA}`, () => {
  it.each([STATE_3, STATE_2])("accepts the state message of version $version", async (message) => {
    const answer = await robot.post(VDA, message);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ applied: true, control_state: "active" });
    expect(await readRobot()).toMatchObject({
      state_seq: message.headerId,
      serial_number: message.serialNumber,
    });
    expect((await robot.post(VDA, message)).body.applied).toBe(false);
  });

  it("names the JSONPath of missing fields", async () => {
    const { operatingMode: _mode, ...rest } = STATE_3;
    expectFields(await robot.post(VDA, rest), "$.operatingMode");
    expectFields(
      await robot.post(VDA, { ...STATE_3, safetyState: {} }),
      "$.safetyState.activeEmergencyStop",
      "$.safetyState.fieldViolation",
    );
    expectFields(await robot.post(VDA, {}), "$.version");
  });

  it("responds briefly to a quarter of a million invalid entries, and accepts ten thousand valid ones", async () => {
    const many = (count: number) => ({ ...STATE_3, actionStates: Array.from({ length: count }, () => 1) });
    for (const [count, named] of [
      [240_000, 1],
      [10_000, 100],
    ] as const) {
      const { status, text, body } = await robot.post(VDA, many(count));
      expect([status, body.errors.length]).toEqual([422, named]);
      expect(text.length).toBeLessThan(20_000);
    }
    const errors = Array.from({ length: 10_000 }, (_, n) => ({ errorType: `e${n}`, errorLevel: "WARNING" }));
    expect((await robot.post(VDA, { ...STATE_3, errors })).status).toBe(200);
    expect((await readRobot()).errors).toHaveLength(64);
  });

  it("rejects an agent that is not a robot, and a body that is not an object", async () => {
    expectProblem(await world.agent.post(VDA, STATE_3), 409, "not_a_robot");
    expectProblem(await robot.post(VDA, []), 400, "invalid_body");
  });
});

describe("GET /api/v1/robots/{id}", () => {
  it("returns a robot as in the list, or 304 if unchanged", async () => {
    const { body } = await world.agent.get("/api/v1/operator/robots");
    const listed = body.robots.find(({ id }: { id: string }) => id === robotId);
    const path = `/api/v1/robots/${robotId}`;
    const answer = await world.agent.get(path);
    expect(answer.body).toEqual({ robot: listed });
    const again = await world.agent.get(path, { "if-none-match": answer.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  it("finds no unknown id and no robot of another workspace", async () => {
    for (const id of [crypto.randomUUID(), "x"]) {
      expectProblem(await world.agent.get(`/api/v1/robots/${id}`), 404, "not_found");
    }
    expectProblem(await (await world.another()).agent.get(`/api/v1/robots/${robotId}`), 404, "not_found");
  });
});
