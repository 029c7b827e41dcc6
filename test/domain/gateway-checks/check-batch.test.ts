import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkBatch } from "../../../src/domain/gateway-checks/check-batch.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW, ASK, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const LARGE = refund({ amount: 900 });
const SMALL = refund({ amount: 90 });

let world: TestWorld;
let ctx: Ctx;
let agent: Ctx;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agentId } = await createGatewayScene(world));
  agent = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId });
  await createPolicy(ctx, ALLOW);
});

/** What is said to each, in turn. */
async function decide(evaluations: unknown[], semantic = "execute_all"): Promise<string[]> {
  const request = {
    subject: { type: "agent", id: agentId },
    evaluations,
    options: { evaluations_semantic: semantic },
  };
  const checks = await checkBatch(agent, { requestText: JSON.stringify(request) });
  return checks.map(({ check, error }) => check?.reason ?? error?.code ?? "");
}

describe("checkBatch", () => {
  it("decides each request by its own arguments, also of the same tool", async () => {
    await createPolicy(ctx, ASK);
    expect(await decide([LARGE, SMALL, LARGE, SMALL])).toEqual([
      ...["approval_required", "policy_allow", "approval_required", "policy_allow"],
    ]);
  });

  it("decides each by its own names", async () => {
    const other = await insertTestAgent(ctx);
    const { handle } = await ctx.db.agent.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: other } },
    });
    await createPolicy(ctx, {
      ...{ name: "not the other", effect: "deny", actions: ["tools/call"] },
      subjects: [{ type: "agent", name: handle }],
    });
    const read = { ...SMALL, action: { ...SMALL.action, name: "read" } };
    const forOther = { ...SMALL, subject: { type: "agent", id: other } };
    const unknown = { ...SMALL, resource: { type: "tool_2", id: SMALL.resource.id } };
    expect(await decide([SMALL, forOther, read, unknown, SMALL])).toEqual([
      ...["policy_allow", "policy_deny", "default_deny", "policy_allow", "policy_allow"],
    ]);
  });

  it("says nothing of those after the one that decided, be it an error", async () => {
    await createPolicy(ctx, ASK);
    const first = [SMALL, 7, LARGE, SMALL];
    expect(await decide(first, "deny_on_first_deny")).toEqual(["policy_allow", "validation_failed"]);
    expect(await decide([7, LARGE, SMALL, LARGE], "permit_on_first_permit")).toEqual([
      ...["validation_failed", "approval_required", "policy_allow"],
    ]);
    expect(await decide([7, SMALL], "execute_all")).toEqual(["validation_failed", "policy_allow"]);
  });

  it("knows what the agent did of late where a policy reads it", async () => {
    await createPolicy(ctx, {
      ...{ name: "often", effect: "deny", actions: ["tools/call"] },
      when: "counters.calls_last_minute >= 0 && args.amount > 500",
    });
    expect(await decide([LARGE, SMALL])).toEqual(["policy_deny", "policy_allow"]);
  });
});
