import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Run } from "../../../src/db/sql.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { readPolicies } from "../../../src/domain/policies/read-policies.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { ALLOW, createGatewayScene } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let ctx: Ctx;
let policyId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx } = await createGatewayScene(world));
  ({ id: policyId } = await createPolicy(ctx, RULE));
});

const RULE = { ...ALLOW, resources: [{ type: "tool", name: "stripe.*" }] };
const COPIES = 600;

/** Copies the policy; all are of the same time. */
async function copyPolicy(): Promise<void> {
  const columns = `description, enabled, mode, effect, subjects, actions, resources, "when", approval, is_broad,
    index_keys, size, from_file, created_by, updated_by, generation, created_at`;
  await world.server.database.query(
    `INSERT INTO policy (workspace_id, id, name, ${columns})
    SELECT workspace_id, gen_random_uuid(), 'copy ' || n, ${columns} FROM policy, generate_series(1, $2) n WHERE id = $1`,
    [policyId, COPIES],
  );
}

/** Runs statements, with something before each, and notes how many rows each has. */
function watch(before: (statement: number) => Promise<void> = async () => {}): { run: Run; rows: number[] } {
  const rows: number[] = [];
  const run: Run = async (statement, values) => {
    await before(rows.length);
    const found = await ctx.services.database.run(statement, values);
    rows.push(found.length);
    return found;
  };
  return { run, rows };
}

describe("readPolicies", () => {
  it("reads each policy once, some with each statement", async () => {
    await copyPolicy();
    const { run, rows } = watch();
    const { policies } = await readPolicies(run, ctx.workspaceId);
    expect(new Set(policies.map(({ name }) => name)).size).toBe(COPIES + 1);
    expect(policies).toHaveLength(COPIES + 1);
    expect(Math.max(...rows)).toBeLessThanOrEqual(250);
  });

  it("reads those of one instant, also if they change all the time", async () => {
    await copyPolicy();
    let changes = 0;
    const { run, rows } = watch(async () => {
      await updatePolicy(ctx, { id: policyId }, { ...RULE, description: `${++changes}` });
    });
    const { generation, policies } = await readPolicies(run, ctx.workspaceId);
    expect(policies).toHaveLength(COPIES + 1);
    expect(policies.find(({ id }) => id === policyId)).toMatchObject({ description: `${changes}` });
    const workspace = await ctx.db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
    expect(generation).toBe(workspace.gateGeneration);
    expect(rows.length).toBeLessThan(10);
  });

  it("finds none in a workspace without policies", async () => {
    expect(await readPolicies(watch().run, crypto.randomUUID())).toEqual({ generation: 0, policies: [] });
  });
});
