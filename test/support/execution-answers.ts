import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { buildCookie, createPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";
import { type TestAnswer, type TestClient, createTestClient } from "./test-client.ts";

const ACTION = "described.act";

/** A successful response of every route of executions, by its path in the description. */
export async function executionAnswers(
  server: TestServer,
  workspaceId: string,
  agent: TestClient,
): Promise<[method: string, path: string, answer: TestAnswer][]> {
  const ctx = server.systemCtx(workspaceId);
  await createPolicy(ctx, { name: "described executions", effect: "allow", actions: [ACTION] });
  const [mine, all] = ["/api/v1/gateway/executions", "/api/v1/operator/executions"];
  const request = { action: { name: ACTION }, resource: { type: "tool", id: "x.y" } };
  const start = () => agent.post(mine, { decision_id: crypto.randomUUID(), request });
  const [done, failed] = [await start(), await start()];
  const { id, fence } = done.body.execution;
  const { id: failedId, fence: failedFence } = failed.body.execution;
  const failure = { fence: failedFence, error: { message: "x" }, effect: "partial" };
  const person = await createPerson(server, workspaceId, { role: "admin" });
  const headers = { cookie: buildCookie(await beginTestSession(server, person)), origin: server.url };
  const operator = createTestClient(server.url);
  return [
    ["POST", "/gateway/executions", done],
    ["GET", "/gateway/executions", await agent.get(`${mine}?status=started`)],
    ["GET", "/gateway/executions/{id}", await agent.get(`${mine}/${id}`)],
    ["POST", "/gateway/executions/{id}/heartbeat", await agent.post(`${mine}/${id}/heartbeat`, { fence })],
    [
      "POST",
      "/gateway/executions/{id}/complete",
      await agent.post(`${mine}/${id}/complete`, { fence, result: { a: 1 } }),
    ],
    ["POST", "/gateway/executions/{id}/fail", await agent.post(`${mine}/${failedId}/fail`, failure)],
    [
      "POST",
      "/operator/executions/{id}/resolve",
      await operator.post(`${all}/${failedId}/resolve`, { outcome: "retried", reason: "x" }, headers),
    ],
    ["GET", "/operator/executions", await operator.get(all, headers)],
    ["GET", "/operator/executions/{id}", await operator.get(`${all}/${failedId}`, headers)],
  ];
}
