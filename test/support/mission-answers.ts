import { type TestAnswer, type TestClient, createTestClient } from "./test-client.ts";

type Described = [method: string, path: string, answer: TestAnswer];

/** A successful response of every route of missions, by its path in the description. */
export async function missionAnswers(url: string, agent: TestClient): Promise<Described[]> {
  const { body } = await agent.post("/api/v1/agent_tokens", {
    agent: { handle: "amr-missions", kind: "robot" },
  });
  const robot = createTestClient(url, body.token);
  const state = { state_seq: 1, operating_mode: "automatic" };
  await robot.send("/api/v1/robots/self/state", { method: "PUT", body: state });
  const made = await agent.post("/api/v1/operator/missions", {
    title: "Bring the pallet",
    kind: "transport",
    robot_id: body.agent_id,
    steps: ["a", "b", "c"].map((key) => ({ key, type: "action" })),
  });
  const { id } = made.body.mission;
  const own = `/api/v1/missions/${id}`;
  const report = async (steps: object[]) => robot.post(`${own}/progress`, { steps });
  const all: Described[] = [["POST", "/operator/missions", made]];
  async function steer(act: string, sent: object = {}): Promise<void> {
    const answer = await agent.post(`/api/v1/operator/missions/${id}/${act}`, sent);
    all.push(["POST", `/operator/missions/{id}/${act}`, answer]);
  }
  all.push(["POST", "/missions/{id}/progress", await report([{ key: "a", status: "retriable" }])]);
  await steer("retry_step", { step_key: "a" });
  await steer("skip_step", { step_key: "a", reason: "Not needed" });
  await steer("pause");
  await steer("resume");
  await steer("cancel", { force: true });
  const nobodys = await agent.post("/api/v1/operator/missions", {
    title: "Nobody is told of it",
    kind: "custom",
    selector: { fleet: "none" },
    steps: [{ key: "a", type: "wait" }],
  });
  const untouched = await agent.post(`/api/v1/operator/missions/${nobodys.body.mission.id}/cancel`);
  all.push(["POST", "/operator/missions/{id}/cancel", untouched]);
  const read = await agent.get(own);
  const etag = read.headers.get("etag") ?? "";
  all.push(["GET", "/missions/{id}", read]);
  all.push(["GET", "/missions/{id}", await agent.get(own, { "if-none-match": etag })]);
  return all;
}
