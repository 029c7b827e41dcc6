import { expect } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { type TestClient, createTestClient } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

export const CHECK_PATH = "/api/v1/gateway/check";

/** Allows all tools. */
export const ALLOW: PolicyRuleInput = { name: "tools", effect: "allow", actions: ["tools/call"] };

/** Asks about large refunds. */
export const ASK: PolicyRuleInput = {
  ...{ name: "refunds over 500", effect: "ask", actions: ["tools/call"] },
  resources: [{ type: "tool", name: "stripe.refund*" }],
  when: "has(args.amount) && args.amount > 500",
};

/** A fresh workspace with one agent. */
export type GatewayScene = {
  ctx: Ctx;
  agent: TestClient;
  agentId: string;
  token: string;
  /** Creates a client of the same agent with fewer scopes. */
  agentWith: (...scopes: string[]) => Promise<TestClient>;
};

export async function createGatewayScene(world: TestWorld): Promise<GatewayScene> {
  const { ctx, agent: key } = await world.another();
  const agent = { handle: "billing-7", kind: "software" };
  const mint = async (scopes?: string[]) => {
    const { body } = await key.post("/api/v1/agent_tokens", { agent, scopes });
    return body;
  };
  const { token, agent_id: agentId } = await mint();
  return {
    ...{ ctx, agentId, token },
    agent: createTestClient(world.server.url, token),
    agentWith: async (...scopes) => createTestClient(world.server.url, (await mint(scopes)).token),
  };
}

/** A request to refund. */
export function refund(args: unknown = { amount: 900 }, extra: object = {}) {
  return {
    action: { name: "tools/call", properties: { arguments: args } },
    resource: { type: "tool", id: "stripe.refund" },
    ...extra,
  };
}

/** Asks the gateway. */
export async function check(
  client: TestClient,
  request: unknown,
): Promise<{ id: string; status: string; reason: string; policies: string[] | null }> {
  const { status, body } = await client.post(CHECK_PATH, { request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.check;
}
