import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { PolicyChangesInput } from "../../../src/domain/policies/draft-policies.ts";
import { simulatePolicies } from "../../../src/domain/policies/simulate-policies.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { ALLOW, ASK, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import type { TestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let ctx: Ctx;
let agent: TestClient;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agent, agentId } = await createGatewayScene(world));
});

const HOUR_MS = 3_600_000;

function simulate(changes: Partial<PolicyChangesInput>, ago = 0) {
  const now = Date.now() - ago * HOUR_MS;
  return simulatePolicies(ctx, {
    changes: { rules: [], removed: [], ...changes },
    ...{ from: new Date(now - HOUR_MS), to: new Date(now + HOUR_MS / 2) },
  });
}

/** Asks, and waits until all decisions are stored. */
async function ask(...requests: object[]): Promise<void> {
  for (const request of requests) await check(agent, request);
  await expect.poll(() => ctx.db.decision.count()).toBe(requests.length);
}

describe("simulatePolicies", () => {
  it("counts what changes would have changed, by agent and tool", async () => {
    await createPolicy(ctx, ALLOW);
    const other = { ...refund({ amount: 100 }), resource: { type: "tool", id: "github.merge" } };
    await ask(refund({ amount: 900 }), refund({ amount: 901 }), refund({ amount: 100 }), other);
    const group = { agentId, action: "tools/call", resourceType: "tool" };
    const denied = { ...group, resourceId: "github.merge", count: 1 };
    expect(
      await simulate({
        rules: [
          ASK,
          { ...ALLOW, name: "no merge", effect: "deny", resources: [{ type: "tool", name: "github.*" }] },
        ],
      }),
    ).toMatchObject({
      ...{ considered: 4, isComplete: true, unchanged: 1, unknown: 0 },
      changes: [
        {
          before: "allow",
          after: "ask",
          count: 2,
          groups: [{ ...group, resourceId: "stripe.refund", count: 2 }],
        },
        { before: "allow", after: "deny", count: 1, groups: [denied] },
      ],
    });
    expect(await simulate({ removed: [ALLOW.name] })).toMatchObject({
      ...{ unchanged: 0, changes: [{ before: "allow", after: "deny", count: 4 }] },
    });
    expect(await simulate({ removed: [ALLOW.name] }, 1)).toMatchObject({ considered: 0, changes: [] });
  });

  it("shows no change without one, also if the policies have changed since", async () => {
    const policy = await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, ASK);
    await ask(refund({ amount: 900 }), refund({ amount: 100 }));
    await updatePolicy(ctx, { id: policy.id }, { ...ALLOW, effect: "deny" });
    expect(await simulate({ rules: [{ ...ALLOW, effect: "deny" }, ASK] })).toEqual({
      ...{ considered: 2, isComplete: true, unchanged: 2, unknown: 0, changes: [] },
    });
  });

  it("says what it can't know, where the changes depend on it", async () => {
    await createPolicy(ctx, ALLOW);
    const large = { amount: 1, text: "x".repeat(20_000) };
    await ask(refund({ amount: 1, token: "a" }), refund(large), refund({ amount: 1 }));
    const rule = { ...ASK, effect: "deny" as const };
    expect(
      await simulate({ rules: [{ ...rule, when: 'has(args.token) && args.token == "a"' }] }),
    ).toMatchObject({ unknown: 2, unchanged: 1, changes: [] });
    const elsewhere = [{ type: "tool", name: "github.*" }];
    expect(await simulate({ rules: [{ ...rule, resources: elsewhere }] })).toMatchObject({ unchanged: 3 });
  });

  it("runs once at a time for a workspace, and names what is wrong", async () => {
    const results = await Promise.allSettled([simulate({}), simulate({})]);
    expect(results).toMatchObject([{ status: "fulfilled" }, { reason: { code: "rate_limited" } }]);
    await expect(simulate({ rules: [ASK, { ...ASK, when: "1 +" }] })).rejects.toMatchObject({
      ...{ code: "validation_failed", details: { errors: [{ field: "changes.rules.1.when" }] } },
    });
    await expect(simulate({})).resolves.toMatchObject({ considered: 0 });
  });
});
