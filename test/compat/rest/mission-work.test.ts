import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAnswer, type TestClient, createTestClient } from "../../support/test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const MISSIONS = "/api/v1/operator/missions";
const UNKNOWN = "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44";
const STEERING = ["pause", "resume", "cancel", "retry_step", "skip_step"];

/** The body of each action. Only those about a step name one. */
function createBody(act: string, step: string): object {
  return act.endsWith("_step") ? { step_key: step } : {};
}
const NEW = {
  title: "Bring the pallet",
  kind: "transport",
  steps: [
    { key: "drive", type: "move", params: { to: "dock-1" } },
    { key: "lift", type: "action" },
  ],
};

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ method: "POST", path: MISSIONS, scope: "missions:write" }, () => world);
for (const act of STEERING) {
  describeGuard(
    { method: "POST", path: `${MISSIONS}/${UNKNOWN}/${act}`, scope: "missions:write" },
    () => world,
  );
}
describeGuard({ path: `/api/v1/missions/${UNKNOWN}`, scope: "missions:read" }, () => world);
describeGuard(
  { method: "POST", path: `/api/v1/missions/${UNKNOWN}/progress`, scope: "missions:report" },
  () => world,
);

/** Creates a client of a free robot. */
async function createRobot(): Promise<TestClient & { id: string }> {
  const handle = `amr-${crypto.randomUUID()}`;
  const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle, kind: "robot" } });
  const robot = createTestClient(world.server.url, body.token);
  const state = { state_seq: 1, operating_mode: "automatic", battery_percent: 80 };
  await robot.send("/api/v1/robots/self/state", { method: "PUT", body: state });
  return Object.assign(robot, { id: body.agent_id });
}

/** Creates a mission for a new robot. */
async function createMission(fields: object = {}) {
  const robot = await createRobot();
  const made = await world.agent.post(MISSIONS, { ...NEW, robot_id: robot.id, ...fields });
  const { id } = made.body.mission;
  return {
    made,
    robot,
    id,
    path: `/api/v1/missions/${id}`,
    steer: (act: string, body: object = {}, headers = {}): Promise<TestAnswer> =>
      world.agent.post(`${MISSIONS}/${id}/${act}`, body, headers),
    report: (body: object): Promise<TestAnswer> => robot.post(`/api/v1/missions/${id}/progress`, body),
  };
}

describe("a mission", () => {
  it("is created, started by a command, progresses and completes", async () => {
    const { made, robot, id, path, report } = await createMission();
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(path);
    expect(made.body.mission).toMatchObject({ status: "assigned", robot_id: robot.id, progress: 0 });
    const { body } = await robot.get("/api/v1/agent_commands/next");
    const [start] = body.agent_commands;
    expect(start).toMatchObject({
      id: made.body.mission.start_command_id,
      type: "mission.start",
      mission_id: id,
      params: { mission_id: id, title: NEW.title, kind: NEW.kind, steps: [NEW.steps[0], { key: "lift" }] },
    });
    const begun = await report({ steps: [{ key: "drive", status: "running" }] });
    expect(begun.status).toBe(200);
    expect(begun.body.mission).toMatchObject({ status: "running", started_at: expect.any(String) });
    const half = await report({ steps: [{ key: "drive", status: "finished", result: { distance_m: 12 } }] });
    expect(half.body.mission).toMatchObject({ status: "running", progress: 0.5 });
    const done = await report({ steps: [{ key: "lift", status: "finished" }], status: "completed" });
    expect(done.body.mission).toMatchObject({ status: "completed", progress: 1, error: null });
    expect((await robot.get(path)).body.mission).toEqual(done.body.mission);
    const listed = await world.agent.get(MISSIONS);
    const row = listed.body.missions.find((mission: { id: string }) => mission.id === id);
    expect(row).toMatchObject({ status: "completed" });
    expect(row).not.toHaveProperty("steps");
  });

  it("can be waited for", async () => {
    const { robot, path, report } = await createMission();
    const waiting = robot.get(`${path}?current_generation=2&wait=20`);
    await report({ status: "running" });
    expect((await waiting).body.mission).toMatchObject({ status: "running", generation: 3 });
  });

  it("can be steered by operators: each action returns the command to the robot", async () => {
    const { id, steer, report } = await createMission();
    await report({ steps: [{ key: "drive", status: "retriable", error: { type: "path.blocked" } }] });
    const summarize = (answer: TestAnswer) => [
      answer.status,
      answer.body.mission.status,
      answer.body.agent_command.type,
    ];
    expect(summarize(await steer("retry_step", { step_key: "drive" }))).toEqual([
      202,
      "running",
      "mission.retry_step",
    ]);
    expect(summarize(await steer("skip_step", { step_key: "drive" }))).toEqual([
      202,
      "running",
      "mission.skip_step",
    ]);
    expect(summarize(await steer("pause", { reason: "A truck comes" }))).toEqual([
      202,
      "paused",
      "mission.pause",
    ]);
    const again = await steer("pause");
    expect(again.body.agent_command).toMatchObject({
      type: "mission.pause",
      priority: "urgent",
      params: { mission_id: id, reason: "A truck comes" },
    });
    expect(summarize(await steer("resume"))).toEqual([202, "running", "mission.resume"]);
    const asked = await steer("cancel");
    expect(summarize(asked)).toEqual([202, "running", "mission.cancel"]);
    expect(asked.body.mission.cancel_requested_at).toEqual(expect.any(String));
    const confirmed = await report({ status: "canceled" });
    expect(confirmed.body.mission).toMatchObject({ status: "canceled", error: null });
    expect((await steer("cancel")).status).toBe(202);
    expectProblem(await steer("pause"), 409, "invalid_state");
  });

  it("can be canceled by force without its robot", async () => {
    const { steer, report, robot } = await createMission();
    await report({ status: "running" });
    const { body } = await steer("cancel", { force: true });
    expect(body.mission.status).toBe("canceled");
    expect(body.agent_command.status).toBe("queued");
    expectProblem(await report({ status: "paused" }), 409, "invalid_state");
    expect((await robot.get(`/api/v1/robots/${robot.id}`)).body.robot.current_mission_id).toBeNull();
  });
});

describe("POST /api/v1/operator/missions", () => {
  it("creates one mission per Idempotency-Key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await world.agent.post(MISSIONS, NEW, headers);
    const second = await world.agent.post(MISSIONS, NEW, headers);
    expect(second.body.mission.id).toBe(first.body.mission.id);
    const other = await world.agent.post(MISSIONS, { ...NEW, title: "Other" }, headers);
    expectProblem(other, 422, "idempotency_mismatch");
  });

  it("stays pending if no robot is free", async () => {
    const { body } = await world.agent.post(MISSIONS, { ...NEW, selector: { fleet: "none" } });
    expect(body.mission).toMatchObject({ status: "pending", robot_id: null, selector: { fleet: "none" } });
  });

  it("rejects malformed input and names each field", async () => {
    const step = NEW.steps[0];
    for (const [fields, ...named] of [
      [{ title: "" }, "title"],
      [{ kind: "flight" }, "kind"],
      [{ steps: [] }, "steps"],
      [{ steps: [step, step] }, "steps.1.key"],
      [{ steps: [{ ...step, key: "Not a key" }] }, "steps.0.key"],
      [{ steps: [{ ...step, params: { text: "x".repeat(50_000) } }] }, "steps.0.params", "steps"],
      [{ priority: 10 }, "priority"],
      [{ min_battery: 101 }, "min_battery"],
      [{ robot_id: UNKNOWN }, "robot_id"],
      [{ robot_id: UNKNOWN, selector: { fleet: "a" } }, "selector"],
      [{ task_id: UNKNOWN }, "task_id"],
    ] as const) {
      expectFields(await world.agent.post(MISSIONS, { ...NEW, ...fields }), ...(named as string[]));
    }
    const unknown = await world.agent.post(MISSIONS, { ...NEW, selector: { color: "red" } });
    expectProblem(unknown, 422, "unknown_field");
    expectProblem(await world.agent.post(MISSIONS, "{"), 400, "invalid_body");
  });

  it("accepts an operator's session, but no viewer's", async () => {
    for (const [role, status] of [
      ["operator", 201],
      ["viewer", 403],
    ] as const) {
      const person = await createPerson(world.server, world.workspaceId, { role });
      const cookie = buildCookie(await beginTestSession(world.server, person));
      const browser = createTestClient(world.server.url, undefined, { cookie, origin: world.server.url });
      expect((await browser.post(MISSIONS, NEW)).status).toBe(status);
      expect((await browser.get(MISSIONS)).status).toBe(200);
    }
  });
});

describe("steering a mission", () => {
  it("returns 412 if If-Match has an older generation", async () => {
    const { steer, report, path, robot } = await createMission();
    await report({ status: "running" });
    const { headers } = await robot.get(path);
    await report({ steps: [{ key: "drive", status: "finished" }] });
    const etag = headers.get("etag") ?? "";
    for (const act of STEERING) {
      if (act === "resume" || act === "retry_step") continue;
      expectProblem(
        await steer(act, createBody(act, "lift"), { "if-match": etag }),
        412,
        "precondition_failed",
      );
    }
    expect((await steer("pause", {}, { "if-match": '"4"' })).status).toBe(202);
  });

  it.each(STEERING)("by %s rejects malformed input and unknown missions", async (act) => {
    const path = `${MISSIONS}/${UNKNOWN}/${act}`;
    const body = createBody(act, "drive");
    expectProblem(await world.agent.post(path, body), 404, "not_found");
    expectFields(await world.agent.post(path, { ...body, reason: "" }), "reason");
    expectProblem(await world.agent.post(`${MISSIONS}/x/${act}`, {}), 404, "not_found");
  });

  it("rejects an unknown step", async () => {
    const { steer, report } = await createMission();
    await report({ status: "running" });
    expectFields(await steer("skip_step", { step_key: "fly" }), "step_key");
  });
});

describe("POST /api/v1/missions/{id}/progress", () => {
  it("accepts reports of the assigned robot only", async () => {
    const { path } = await createMission();
    const other = await createRobot();
    expectProblem(await other.post(`${path}/progress`, { status: "running" }), 403, "forbidden");
    expectProblem(await world.agent.post(`${path}/progress`, { status: "running" }), 403, "forbidden");
  });

  it("rejects malformed and impossible reports", async () => {
    const { report } = await createMission();
    expectFields(await report({}), "steps");
    expectFields(await report({ steps: [{ key: "fly", status: "running" }] }), "steps.0.key");
    expectFields(await report({ steps: [{ key: "drive", status: "flying" }] }), "steps.0.status");
    expectFields(await report({ steps: [{ key: "drive", status: "skipped" }] }), "steps.0.status");
    expectProblem(await report({ status: "completed" }), 409, "invalid_state");
    expectProblem(await report({ status: "canceled" }), 409, "invalid_state");
    expectProblem(await report({ status: "running", generation: 1 }), 412, "precondition_failed");
    expect((await report({ status: "running", generation: 2 })).status).toBe(200);
  });

  it("accepts a repeated report, and rejects another one after the end", async () => {
    const { report } = await createMission();
    const steps = [{ key: "drive", status: "failed", error: { type: "lift.overload", level: "fatal" } }];
    const first = await report({ steps });
    expect(first.body.mission).toMatchObject({
      status: "failed",
      error: { type: "lift.overload", level: "fatal", step_key: "drive" },
    });
    expect((await report({ steps })).body).toEqual(first.body);
    expectProblem(await report({ steps: [{ key: "drive", status: "finished" }] }), 409, "invalid_state");
  });
});
