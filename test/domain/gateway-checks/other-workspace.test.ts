import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { type GatewayScene, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
/** Both have an agent of the same handle. */
let own: GatewayScene;
let other: GatewayScene;

beforeAll(async () => {
  world = await createWorld();
  [own, other] = [await createGatewayScene(world), await createGatewayScene(world)];
});

afterAll(() => world.server.close());

describe("a policy that names what is of another workspace", () => {
  it("matches nothing there, and nothing here that has only its id", async () => {
    const named = [{ type: "agent", name: "billing-7" }];
    const resources = [{ type: "tool", name: "stripe.refund" }];
    const rule = { effect: "allow" as const, actions: ["tools/call"], resources };
    await createPolicy(own.ctx, { ...rule, name: "by handle", subjects: named });
    await createPolicy(own.ctx, {
      ...{ ...rule, name: "by id", effect: "deny" },
      subjects: [{ type: "agent", name: other.agentId }],
    });
    expect(await check(own.agent, refund())).toMatchObject({ status: "allowed", policies: ["by handle"] });
    expect(await check(other.agent, refund())).toMatchObject({ status: "denied", reason: "default_deny" });
    const about = { subject: { type: "agent", id: other.agentId } };
    expect(await check(own.agent, refund(undefined, about))).toMatchObject({ status: "denied" });
    expect(await own.ctx.db.decision.count({ where: { agentId: other.agentId } })).toBe(0);
  });
});
