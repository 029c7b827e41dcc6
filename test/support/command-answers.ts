import type { TestAnswer, TestClient } from "./test-client.ts";

/** A successful response of every route of agent commands, by its path in the description. */
export async function commandAnswers(
  agent: TestClient,
): Promise<[method: string, path: string, answer: TestAnswer][]> {
  const { body } = await agent.get("/api/v1/whoami");
  const commands = "/api/v1/operator/agent_commands";
  const issued = await agent.post(commands, {
    agent_id: body.actor.id,
    type: "custom.turn",
    params: { by: 90 },
  });
  const id = issued.body.agent_commands[0].id;
  const own = `/api/v1/agent_commands/${id}`;
  const paused = await agent.post(commands, { agent_id: body.actor.id, type: "agent.pause" });
  const read = await agent.get(own);
  const etag = read.headers.get("etag") ?? "";
  return [
    ["POST", "/operator/agent_commands", issued],
    ["GET", "/agent_commands/{id}", read],
    ["GET", "/agent_commands/{id}", await agent.get(own, { "if-none-match": etag })],
    ["GET", "/agent_commands/next", await agent.get("/api/v1/agent_commands/next")],
    ["GET", "/agent_commands/next", await agent.get("/api/v1/agent_commands/next")],
    ["POST", "/agent_commands/{id}/ack", await agent.post(`${own}/ack`, { outcome: "accepted" })],
    ["POST", "/agent_commands/{id}/progress", await agent.post(`${own}/progress`, { progress: 0.5 })],
    [
      "POST",
      "/agent_commands/{id}/result",
      await agent.post(`${own}/result`, { status: "succeeded", result: [1] }),
    ],
    [
      "POST",
      "/operator/agent_commands/{id}/cancel",
      await agent.post(`${commands}/${paused.body.agent_commands[0].id}/cancel`),
    ],
  ];
}
