import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { listPolicyVersions } from "../../../src/domain/policies/list-policy-versions.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createBudgetScene, type BudgetScene } from "../../support/budget-scene.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { ASK } from "../../support/gateway-scene.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let scene: BudgetScene;

beforeAll(async () => {
  server = await openQuietServices();
  scene = await createBudgetScene(server);
});

afterAll(() => server.close());

describe("listPolicyVersions", () => {
  it("lists what a policy said from each change on, the newest first, in pages", async () => {
    const { ctx, workspaceId } = scene;
    const { id } = await createPolicy(ctx, { ...ASK, name: "kept" });
    for (const when of ["true", "false"]) await updatePolicy(ctx, { id }, { ...ASK, name: "kept", when });
    const viewer = userCtx(server, workspaceId, "viewer");
    const versions = await listPolicyVersions(viewer, { id });
    expect(versions.map(({ generation, rule }) => [generation, rule.when])).toEqual([
      [3, "false"],
      [2, "true"],
      [1, ASK.when],
    ]);
    expect(versions[0]).toMatchObject({ by: { type: "system" }, at: expect.any(Date) });
    const page = await listPolicyVersions(viewer, { id, first: 1, beforeGeneration: 3 });
    expect(page.map(({ generation }) => generation)).toEqual([2]);
    expect(await listPolicyVersions(viewer, { id, beforeGeneration: 1 })).toEqual([]);
  });

  it("is not found for a deleted policy, and in another workspace", async () => {
    const { id } = await createPolicy(scene.ctx, { ...ASK, name: "deleted" });
    const other = await createBudgetScene(server);
    expect(await getErrorCode(listPolicyVersions(other.ctx, { id }))).toBe("not_found");
    await deletePolicy(scene.ctx, { id });
    expect(await getErrorCode(listPolicyVersions(scene.ctx, { id }))).toBe("not_found");
  });

  it("rejects an actor without the scope, and a page out of range", async () => {
    const { agentId: id, workspaceId, ctx } = scene;
    const agent = agentCtx(server, { id, workspaceId }, { scopes: ["gateway:check"] });
    expect(await getErrorCode(listPolicyVersions(agent, { id }))).toBe("insufficient_scope");
    expect(await getErrorCode(listPolicyVersions(ctx, { id, first: 51 }))).toBe("validation_failed");
  });
});
