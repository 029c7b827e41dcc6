import { afterAll, beforeAll, expect, it } from "vitest";
import { saveEntity } from "../../src/domain/gateway-entities/save-entity.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
  await saveEntity(world.ctx, { type: "user", entityId: "ada", properties: { n: 1 } });
});

afterAll(() => world.server.close());

const READ = `{
  gatewayEntity(type: "user", entityId: "ada") { properties }
  gatewayEntities(filter: { type: "user" }) { totalCount nodes { entityId } }
}`;

it.each(["gateway:read", "gateway:delegate"])("entities can be read with %s", async (scope) => {
  const { body } = await (await world.agentWith(scope)).graphql(READ);
  expect(body.data).toEqual({
    gatewayEntity: { properties: { n: 1 } },
    gatewayEntities: { totalCount: 1, nodes: [{ entityId: "ada" }] },
  });
});

it("entities can't be read with another scope", async () => {
  const { body } = await (await world.agentWith("gateway:check")).graphql(READ);
  expect(body.errors[0].extensions.code).toBe("INSUFFICIENT_SCOPE");
});
