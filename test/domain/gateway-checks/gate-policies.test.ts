import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rememberPolicies } from "../../../src/domain/gateway-checks/gate-policies.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { ALLOW, createGatewayScene } from "../../support/gateway-scene.ts";
import { createRequest } from "../../support/policies.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let ctx: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx } = await createGatewayScene(world));
});

async function readGeneration(): Promise<number> {
  const [row] = await world.server.database.query<{ generation: number }>(
    "SELECT gate_generation AS generation FROM workspace WHERE id = $1",
    [ctx.workspaceId],
  );
  return row?.generation ?? 0;
}

describe("remembered policies", () => {
  it("are those of the generation that is asked for, also after a restore of the database", async () => {
    const policies = rememberPolicies(ctx.services.database);
    const findNames = async () => {
      const { index } = await policies.get(ctx.workspaceId, await readGeneration());
      return index.find(createRequest()).map(({ name }) => name);
    };
    await createPolicy(ctx, { ...ALLOW, name: "kept" });
    const restored = await readGeneration();
    expect(await findNames()).toEqual(["kept"]);
    const { id } = await createPolicy(ctx, { ...ALLOW, name: "lost" });
    expect(await findNames()).toEqual(["kept", "lost"]);
    await world.server.database.query("DELETE FROM policy_version WHERE policy_id = $1", [id]);
    await world.server.database.query("DELETE FROM policy WHERE id = $1", [id]);
    await world.server.database.query("UPDATE workspace SET gate_generation = $2 WHERE id = $1", [
      ctx.workspaceId,
      restored,
    ]);
    expect(await findNames()).toEqual(["kept"]);
  });
});
