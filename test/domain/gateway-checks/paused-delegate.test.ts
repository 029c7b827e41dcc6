import { afterAll, beforeAll, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { ALLOW, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

it("a delegate's checks for others are denied while it is paused", async () => {
  const { ctx, agent, agentId } = await createGatewayScene(world);
  await createPolicy(ctx, ALLOW);
  const request = refund(undefined, { subject: { type: "user", id: "ada" } });
  expect(await check(agent, request)).toMatchObject({ status: "allowed" });
  await setAgentControlState(ctx, { id: agentId, controlState: "paused", reason: "x" });
  expect(await check(agent, request)).toMatchObject({ status: "denied", reason: "agent_paused" });
  await setAgentControlState(ctx, { id: agentId, controlState: "active" });
  expect(await check(agent, request)).toMatchObject({ status: "allowed" });
});
