import type { TestAnswer, TestClient } from "./test-client.ts";
import { createTestClient } from "./test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";

type Described = [method: string, path: string, answer: TestAnswer];

/** A successful response of every route of agents and their work, by its path in the description. */
export async function workAnswers(
  server: TestServer,
  workspaceId: string,
  agent: TestClient,
): Promise<Described[]> {
  const tasks = "/api/v1/tasks";
  const queue = "described";
  const all: Described[] = [];
  async function claim(): Promise<{ path: string; lease_token: string }> {
    await agent.post(tasks, { title: "One", queue });
    const claimed = await agent.post(`${tasks}/claim`, { queues: [queue] });
    all.push(["POST", "/tasks/claim", claimed]);
    return { path: `${tasks}/${claimed.body.task.id}`, lease_token: claimed.body.lease.token };
  }
  for (const [act, body] of Object.entries({
    complete: { output: { a: 1 }, artifacts: [{ artifact_id: "a", parts: [{ text: "x" }] }] },
    fail: { error: { message: "x", retryable: false } },
    reject: {},
    release: {},
  })) {
    const { path, lease_token } = await claim();
    const heartbeat = await agent.post(`${path}/heartbeat`, { lease_token, progress: 0.5 });
    all.push(["POST", "/tasks/{id}/heartbeat", heartbeat]);
    all.push(["POST", `/tasks/{id}/${act}`, await agent.post(`${path}/${act}`, { lease_token, ...body })]);
  }
  // A released task is ready before it.
  await agent.post(`${tasks}/claim`, { queues: [queue] });
  const { path, lease_token } = await claim();
  all.push(["POST", "/tasks/{id}/cancel", await agent.post(`${path}/cancel`, {})]);
  all.push(["POST", "/tasks/{id}/cancel_ack", await agent.post(`${path}/cancel_ack`, { lease_token })]);
  all.push(["POST", "/tasks/claim", await agent.post(`${tasks}/claim`, { queues: ["nothing-there"] })]);
  return [...all, ...(await agentAnswers(agent)), ...(await operatorAnswers(server, workspaceId, agent))];
}

async function agentAnswers(agent: TestClient): Promise<Described[]> {
  const body = { version: "2", capabilities: [{ type: "custom.a", params_schema: {} }] };
  const self = await agent.send("/api/v1/agents/self", { method: "PUT", body });
  const list = await agent.get("/api/v1/agents");
  const etag = list.headers.get("etag") ?? "";
  const one = `/api/v1/agents/${self.body.agent.id}`;
  return [
    ["PUT", "/agents/self", self],
    ["POST", "/agents/self/heartbeat", await agent.post("/api/v1/agents/self/heartbeat")],
    ["GET", "/agents", list],
    ["GET", "/agents", await agent.get("/api/v1/agents", { "if-none-match": etag })],
    ["GET", "/agents/{id}", await agent.get(one)],
  ];
}

async function operatorAnswers(
  server: TestServer,
  workspaceId: string,
  agent: TestClient,
): Promise<Described[]> {
  const person = await createPerson(server, workspaceId, { role: "admin" });
  const headers = { cookie: buildCookie(await beginTestSession(server, person)), origin: server.url };
  const operator = createTestClient(server.url);
  const { body } = await agent.get("/api/v1/agents?limit=1");
  const control = `/api/v1/operator/agents/${body.agents[0].id}/control`;
  const stop = "/api/v1/operator/emergency_stop";
  return [
    [
      "POST",
      "/operator/agents/{id}/control",
      await operator.post(control, { control_state: "paused" }, headers),
    ],
    [
      "PUT",
      "/operator/agents/{id}/labels",
      await operator.send(control.replace("control", "labels"), {
        ...{ method: "PUT", body: { labels: { team: "a" } }, headers },
      }),
    ],
    ["POST", "/operator/emergency_stop", await operator.post(stop, { reason: "x" }, headers)],
    ["GET", "/operator/emergency_stop", await operator.get(stop, headers)],
    ...(await stopAnswers(operator, headers)),
    ["POST", "/operator/emergency_stop", await operator.post(stop, { reason: "y" }, headers)],
    [
      "POST",
      "/operator/emergency_stop/release",
      await operator.post(`${stop}/release`, { reason: "x" }, headers),
    ],
  ];
}

async function stopAnswers(operator: TestClient, headers: Record<string, string>): Promise<Described[]> {
  const path = "/api/v1/operator/stops";
  const listed = await operator.get(path, headers);
  const stop = `${path}/${listed.body.stops[0].id}`;
  const resumed = { agents: { percent: 100 }, reason: "x" };
  return [
    ["GET", "/operator/stops", listed],
    ["POST", "/operator/stops/{id}/resume", await operator.post(`${stop}/resume`, resumed, headers)],
    [
      "POST",
      "/operator/stops/{id}/release",
      await operator.post(`${stop}/release`, { reason: "x" }, headers),
    ],
  ];
}
