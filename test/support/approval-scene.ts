import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
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
import { createPerson, beginTestSession } from "./people.ts";
import type { TestWorld } from "./test-world.ts";

/** A workspace whose policies ask people about an agent's large refunds. */
export type ApprovalScene = {
  /** The system's. */
  ctx: Ctx;
  agent: Ctx;
  agentId: string;
  /** Of the API key by which it asks. */
  lineageId: string;
  /** The agent's. */
  token: string;
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
  /** Asks people, and has one of them approve. @returns the approval's id. */
  approved: (request?: object) => Promise<string>;
};

/** @param terms how the question is to be answered. */
export async function createApprovalScene(
  world: TestWorld,
  terms: Partial<ApprovalTerms> = {},
): Promise<ApprovalScene> {
  const { ctx, agentId, token } = await createGatewayScene(world);
  const { workspaceId } = ctx;
  // The workspace's only key, which has minted the token.
  const { lineageId } = await ctx.db.apiKey.findFirstOrThrow({ where: { workspaceId } });
  const agent = agentCtx(world.server, { id: agentId, workspaceId }, { lineageId });
  await createPolicy(ctx, ALLOW);
  const rule: PolicyRuleInput = { ...ASK, approval: terms };
  const asking = await createPolicy(ctx, rule);
  const ask: ApprovalScene["ask"] = (request = refund(), options = {}) =>
    checkRequest(agent, { requestText: JSON.stringify(request), ...options });
  async function person(role: Role = "operator"): Promise<Ctx> {
    const made = await createPerson(world.server, workspaceId, { role });
    return openSessionCtx(world.server, await beginTestSession(world.server, made));
  }
  async function request(asked?: object): Promise<string> {
    const { approval } = await ask(asked);
    if (approval === null) throw new Error("nobody was asked");
    return approval.id;
  }
  let approver: Promise<Ctx> | null = null;
  async function approved(asked?: object): Promise<string> {
    const id = await request(asked);
    approver ??= person(terms.role);
    await grantApproval(await approver, { id });
    return id;
  }
  return { ctx, agent, agentId, lineageId, token, asking, ask, person, request, approved };
}
