import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { checkRequest } from "../../src/domain/gateway-checks/check-request.ts";
import type { GatewayCheck } from "../../src/domain/gateway-checks/gateway-check.ts";
import type { Policy } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import type { Role } from "../../src/domain/kernel/scopes.ts";
import type { ApprovalTerms, PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { agentCtx } from "./agent-ctx.ts";
import { ALLOW, ASK, createGatewayScene, refund } from "./gateway-scene.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { createPerson, logInForToken } from "./people.ts";
import type { TestWorld } from "./test-world.ts";

/** A workspace whose policies ask people about an agent's large refunds. */
export type ApprovalScene = {
  /** The system's. */
  ctx: Ctx;
  agent: Ctx;
  agentId: string;
  asking: Policy;
  /** The context of a new person who is logged in. */
  person: (role?: Role) => Promise<Ctx>;
  /** Asks the gateway as the agent. Default: about a large refund. */
  ask: (
    request?: object,
    options?: Omit<Parameters<typeof checkRequest>[1], "requestText">,
  ) => Promise<GatewayCheck>;
  /** Asks people. @returns the approval's id. */
  request: (request?: object) => Promise<string>;
};

/** @param terms how the question is to be answered. */
export async function createApprovalScene(
  world: TestWorld,
  terms: Partial<ApprovalTerms> = {},
): Promise<ApprovalScene> {
  const { ctx, agentId } = await createGatewayScene(world);
  const { workspaceId } = ctx;
  const agent = agentCtx(world.server, { id: agentId, workspaceId });
  await createPolicy(ctx, ALLOW);
  const rule: PolicyRuleInput = { ...ASK, approval: terms };
  const asking = await createPolicy(ctx, rule);
  const ask: ApprovalScene["ask"] = (request = refund(), options = {}) =>
    checkRequest(agent, { requestText: JSON.stringify(request), ...options });
  return {
    ...{ ctx, agent, agentId, asking, ask },
    person: async (role = "operator") => {
      const person = await createPerson(world.server, workspaceId, { role });
      return openSessionCtx(world.server, await logInForToken(world.server, person));
    },
    request: async (request) => {
      const { approval } = await ask(request);
      if (approval === null) throw new Error("nobody was asked");
      return approval.id;
    },
  };
}
