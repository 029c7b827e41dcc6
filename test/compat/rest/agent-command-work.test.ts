import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const NEXT = "/api/v1/agent_commands/next";

let world: TestWorld;
let agentId: string;
let agent: TestClient;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const handle = `a-${crypto.randomUUID()}`;
  const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle } });
  agentId = body.agent_id;
  agent = createTestClient(world.server.url, body.token);
});

describeGuard({ path: NEXT, scope: "agent_commands:read" }, () => world);
for (const act of ["ack", "progress", "result"]) {
  const path = `/api/v1/agent_commands/${crypto.randomUUID()}/${act}`;
  describeGuard({ method: "POST", path, scope: "agent_commands:ack" }, () => world);
}

async function issue(more: object = {}): Promise<string> {
  const order = { agent_id: agentId, type: "custom.turn", ...more };
  return (await world.agent.post("/api/v1/operator/agent_commands", order)).body.agent_commands[0].id;
}

function tell(id: string, act: string, body: object) {
  return agent.post(`/api/v1/agent_commands/${id}/${act}`, body);
}

async function readStatus(id: string): Promise<string> {
  return (await agent.get(`/api/v1/agent_commands/${id}`)).body.agent_command.status;
}

describe("GET /api/v1/agent_commands/next", () => {
  it("returns the next command, or 204 if there is none", async () => {
    const none = await agent.get(NEXT);
    expect([none.status, none.text, none.headers.get("cache-control")]).toEqual([204, "", "no-store"]);
    const id = await issue({ params: { by: 90 } });
    const { status, body } = await agent.get(NEXT);
    expect(status).toBe(200);
    expect(body.agent_commands).toMatchObject([
      { id, status: "delivered", params: { by: 90 }, delivery_attempts: 1 },
    ]);
    expect((await agent.get(NEXT)).status).toBe(204);
    expect((await agent.get(`${NEXT}?redeliver=true`)).body.agent_commands[0]).toMatchObject({
      id,
      delivery_attempts: 2,
    });
  });

  it("delivers nothing to HEAD", async () => {
    const id = await issue();
    const refused = await agent.send(NEXT, { method: "HEAD" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    expect(await readStatus(id)).toBe("queued");
  });

  it("waits for a command", async () => {
    const waiting = agent.get(`${NEXT}?wait=20`);
    const id = await issue();
    expect((await waiting).body.agent_commands[0].id).toBe(id);
  });

  it("delivers no command to a client that has disconnected", async () => {
    const gone = new AbortController();
    const token = (await world.agent.post("/api/v1/agent_tokens", { agent: { handle: "leaver" } })).body;
    const waiting = fetch(`${world.server.url}${NEXT}?wait=20`, {
      headers: { authorization: `Bearer ${token.token}` },
      signal: gone.signal,
    });
    await createTestClient(world.server.url, token.token).get("/api/v1/whoami");
    gone.abort();
    await expect(waiting).rejects.toThrow("abort");
    agentId = token.agent_id;
    agent = createTestClient(world.server.url, token.token);
    const id = await issue();
    expect((await agent.get(`${NEXT}?wait=20&redeliver=true`)).body.agent_commands[0].id).toBe(id);
  });

  it.each([
    ["wait", "26"],
    ["limit", "0"],
    ["limit", "101"],
    ["priority", "high"],
    ["redeliver", "yes"],
  ])("rejects %s=%s", async (name, value) => {
    expectFields(await agent.get(`${NEXT}?${name}=${value}`), name);
  });
});

describe("an agent's responses to a command", () => {
  it("complete a command, and can be repeated", async () => {
    const id = await issue();
    await agent.get(NEXT);
    for (const [act, body, status] of [
      ["ack", { outcome: "accepted" }, "acknowledged"],
      ["progress", { progress: 0.5, detail: "half" }, "running"],
      ["result", { status: "succeeded", result: { angle: 90 } }, "succeeded"],
    ] as const) {
      for (let time = 0; time < 2; time++) {
        const answer = await tell(id, act, body);
        expect([answer.status, answer.body.agent_command.status]).toEqual([200, status]);
      }
    }
    const { body } = await agent.get(`/api/v1/agent_commands/${id}`);
    expect(body.agent_command).toMatchObject({
      result: { angle: 90 },
      error: null,
      progress: 1,
      late: false,
    });
  });

  it("reject, defer and fail a command", async () => {
    const [rejected, deferred] = [await issue(), await issue()];
    await agent.get(NEXT);
    const why = { outcome: "rejected", reason: "no gripper" };
    expect((await tell(rejected, "ack", why)).body.agent_command).toMatchObject({
      status: "rejected",
      status_detail: "no gripper",
    });
    await agent.get(NEXT);
    const later = await tell(deferred, "ack", { outcome: "deferred", retry_after_s: 3600 });
    expect(later.body.agent_command).toMatchObject({ status: "queued", not_before: expect.any(String) });
    expect((await agent.get(NEXT)).status).toBe(204);
    const failed = await issue({ priority: "urgent" });
    await agent.get(NEXT);
    await tell(failed, "ack", { outcome: "accepted" });
    const error = { code: "jammed", message: "The gripper is jammed." };
    expect((await tell(failed, "result", { status: "failed", error })).body.agent_command).toMatchObject({
      status: "failed",
      error,
    });
  });

  it("are rejected in another status, with the allowed statuses", async () => {
    const id = await issue();
    const refused = await tell(id, "result", { status: "succeeded" });
    expectProblem(refused, 409, "invalid_state");
    expect(refused.body).toMatchObject({ current_status: "queued", allowed: ["acknowledged", "running"] });
    expectProblem(await tell(id, "ack", { outcome: "accepted" }), 409, "invalid_state");
    expectProblem(await tell(id, "progress", {}), 409, "invalid_state");
    expect(await readStatus(id)).toBe("queued");
  });

  it("are rejected from another agent", async () => {
    const id = await issue();
    await agent.get(NEXT);
    const path = `/api/v1/agent_commands/${id}`;
    expectProblem(await world.agent.post(`${path}/ack`, { outcome: "accepted" }), 404, "not_found");
    expectProblem(await world.agent.post(`${path}/progress`, {}), 404, "not_found");
    expectProblem(await world.agent.post(`${path}/result`, { status: "succeeded" }), 404, "not_found");
    expect(await readStatus(id)).toBe("delivered");
  });

  it("are rejected if malformed", async () => {
    const id = await issue();
    expectFields(await tell(id, "ack", {}), "outcome");
    expectFields(await tell(id, "ack", { outcome: "deferred", retry_after_s: 0 }), "retry_after_s");
    expectFields(await tell(id, "progress", { progress: 2 }), "progress");
    expectFields(await tell(id, "result", { status: "timed_out" }), "status");
    expectFields(await tell(id, "result", { status: "failed", error: {} }), "error.code", "error.message");
    expectFields(await tell(id, "result", { status: "failed" }), "error");
    expectProblem(await tell("x", "ack", { outcome: "accepted" }), 404, "not_found");
  });
});
