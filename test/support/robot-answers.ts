import { STATE_3 } from "../domain/robots/vda-states.ts";
import { type TestAnswer, type TestClient, createTestClient } from "./test-client.ts";

/** A successful response of every route of robots, by its path in the description. */
export async function robotAnswers(
  url: string,
  agent: TestClient,
): Promise<[method: string, path: string, answer: TestAnswer][]> {
  const { body } = await agent.post("/api/v1/agent_tokens", {
    agent: { handle: "amr-answers", kind: "robot" },
  });
  const robot = createTestClient(url, body.token);
  const [self, own] = ["/api/v1/robots/self", `/api/v1/robots/${body.agent_id}`];
  const state = { state_seq: 1, operating_mode: "automatic" };
  const report = await robot.send(`${self}/state`, { method: "PUT", body: state });
  const message = await robot.post(`${self}/vda5050/state`, STATE_3);
  const read = await agent.get(own);
  const etag = read.headers.get("etag") ?? "";
  return [
    ["PUT", "/robots/self/state", report],
    ["POST", "/robots/self/vda5050/state", message],
    ["GET", "/robots/{id}", read],
    ["GET", "/robots/{id}", await agent.get(own, { "if-none-match": etag })],
  ];
}
