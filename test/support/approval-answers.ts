import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { buildCookie, createPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";
import { type TestAnswer, type TestClient, createTestClient } from "./test-client.ts";

const ACTION = "described.ask";

/** A successful response of every route of approvals, by its path in the description. */
export async function approvalAnswers(
  server: TestServer,
  workspaceId: string,
  agent: TestClient,
): Promise<[method: string, path: string, answer: TestAnswer][]> {
  const ctx = server.systemCtx(workspaceId);
  await createPolicy(ctx, { name: "described approvals", effect: "ask", actions: [ACTION] });
  const [mine, all] = ["/api/v1/gateway/approvals", "/api/v1/operator/approvals"];
  const ask = async (id: string) => {
    const request = { action: { name: ACTION }, resource: { type: "tool", id } };
    const { body } = await agent.post("/api/v1/gateway/check", { request });
    return body.check.approval.id;
  };
  const [granted, denied, taken] = [await ask("x.1"), await ask("x.2"), await ask("x.3")];
  const person = await createPerson(server, workspaceId, { role: "admin" });
  const headers = { cookie: buildCookie(await beginTestSession(server, person)), origin: server.url };
  const operator = createTestClient(server.url);
  const decide = (id: string, verb: string, body: object) =>
    operator.post(`${all}/${id}/${verb}`, body, headers);
  return [
    ["GET", "/gateway/approvals/{id}", await agent.get(`${mine}/${granted}`)],
    ["POST", "/gateway/approvals/{id}/cancel", await agent.post(`${mine}/${taken}/cancel`)],
    ["POST", "/operator/approvals/{id}/approve", await decide(granted, "approve", { comment: "Fine." })],
    ["POST", "/operator/approvals/{id}/deny", await decide(denied, "deny", { comment: "No." })],
    ["POST", "/operator/approvals/{id}/revoke", await decide(granted, "revoke", { reason: "No." })],
    ["GET", "/operator/approvals", await operator.get(all, headers)],
    ["GET", "/operator/approvals/{id}", await operator.get(`${all}/${granted}`, headers)],
  ];
}
