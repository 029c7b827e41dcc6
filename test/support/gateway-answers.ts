import type { TestAnswer, TestClient } from "./test-client.ts";

type Described = [method: string, path: string, answer: TestAnswer];

const TOOL_CALL = { action: { name: "tools/call" }, resource: { type: "tool", id: "stripe.refund" } };

/** A successful response of every route of the gateway, by its path in the description. */
export async function gatewayAnswers(agent: TestClient): Promise<Described[]> {
  const ada = "/api/v1/gateway/entities/user/ada";
  const [one, all] = ["/gateway/entities/{type}/{id}", "/gateway/entities"];
  const checked = await agent.post("/api/v1/gateway/check", { request: TOOL_CALL });
  const decisions = "/api/v1/operator/decisions";
  return [
    ["POST", "/gateway/check", checked],
    ["GET", "/operator/decisions", await agent.get(decisions)],
    [
      ...(["GET", "/operator/decisions/{id}/explain"] as const),
      await agent.get(`${decisions}/${checked.body.check.id}/explain`),
    ],
    ["PUT", one, await agent.send(ada, { method: "PUT", body: { properties: { country: "PT" } } })],
    ["GET", one, await agent.get(ada)],
    ["GET", all, await agent.get("/api/v1/gateway/entities?type=user")],
    ["DELETE", one, await agent.delete(ada)],
  ];
}
