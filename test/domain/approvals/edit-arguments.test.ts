import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { getCurrentHash } from "../../../src/domain/approvals/move-approval.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { ApprovalTerms } from "../../../src/domain/policies/policy-rule.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { grantSeen } from "../../support/approve.ts";
import { getErrorCode } from "../../support/callers.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const EDITS = { acceptEdits: true };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function createScene(terms: Partial<ApprovalTerms> = {}) {
  const scene = await createApprovalScene(world, { edits: true, ...terms });
  const { approval } = await scene.ask(undefined, EDITS);
  return { ...scene, id: approval?.id ?? "" };
}

describe("grantApproval with other arguments", () => {
  it("approves those, for a caller that executes them", async () => {
    const { ask, person, id } = await createScene();
    const approver = await person();
    const granted = await grantApproval(approver, { id, arguments: { amount: 300 } });
    expect(granted).toMatchObject({ status: "approved", editedArguments: { amount: 300 } });
    const allowed = await ask(undefined, EDITS);
    expect(allowed).toMatchObject({ status: "allowed", approval: { id, editedArguments: { amount: 300 } } });
  });

  it("gives nothing to a caller that would execute its own arguments", async () => {
    const { ask, person, id, ctx } = await createScene();
    await grantApproval(await person(), { id, arguments: { amount: 300 } });
    expect((await ask()).status).toBe("pending");
    const named = refund(undefined, { context: { approval: { id } } });
    expect(await ask(named)).toMatchObject({ status: "denied", reason: "out_of_scope" });
    expect(await ctx.db.execution.count()).toBe(0);
  });

  it("is refused where the policies or the caller don't allow changes", async () => {
    const { ask, person, ctx } = await createApprovalScene(world, { edits: true });
    const approver = await person();
    const { approval } = await ask();
    const edit = { id: approval?.id ?? "", arguments: { amount: 300 } };
    expect(await getErrorCode(grantApproval(approver, edit))).toBe("validation_failed");
    expect(await ctx.db.approvalReview.count()).toBe(0);
    const without = await createApprovalScene(world, { edits: false });
    const asked = await without.ask(undefined, EDITS);
    const refused = grantApproval(await without.person(), { id: asked.approval?.id ?? "", arguments: {} });
    expect(await getErrorCode(refused)).toBe("validation_failed");
  });

  it("asks the policies: a deny denies, and stricter terms apply", async () => {
    const { person, ctx, id } = await createScene();
    const resources = [{ type: "tool", name: "stripe.refund" }];
    const base = { actions: ["tools/call"], resources };
    await createPolicy(ctx, { ...base, name: "never", effect: "deny", when: "args.amount > 5000" });
    await createPolicy(ctx, {
      ...{ ...base, name: "four eyes", effect: "ask", when: "args.amount > 2000" },
      approval: { role: "admin", persons: 2, edits: true, validSeconds: 60 },
    });
    await createPolicy(ctx, { ...base, name: "as is", effect: "ask", when: "args.amount == 1500" });
    const [operator, admin] = [await person(), await person("admin")];
    const edit = (amount: number) => ({ id, arguments: { amount } });
    expect(await getErrorCode(grantApproval(admin, edit(9000)))).toBe("policy_denied");
    expect(await getErrorCode(grantApproval(admin, edit(1500)))).toBe("validation_failed");
    expect(await getErrorCode(grantApproval(operator, edit(3000)))).toBe("forbidden");
    const edited = await grantApproval(admin, edit(3000));
    expect(edited).toMatchObject({ status: "pending", role: "admin", persons: 2, validSeconds: 60 });
    const seen = { id, requestHash: getCurrentHash(edited) };
    expect((await grantApproval(await person("admin"), seen)).status).toBe("approved");
  });

  it("counts no earlier approval of other arguments", async () => {
    const { ask, person, id } = await createScene({ persons: 2 });
    const [first, second] = [await person(), await person()];
    await grantSeen(first, id);
    const edited = await grantApproval(second, { id, arguments: { amount: 300 } });
    expect(edited.status).toBe("pending");
    expect((await grantApproval(second, { id, arguments: { amount: 300 } })).status).toBe("pending");
    const seen = { id, requestHash: getCurrentHash(edited) };
    expect((await grantApproval(first, seen)).status).toBe("approved");
    expect((await ask(undefined, EDITS)).approval?.editedArguments).toEqual({ amount: 300 });
  });

  it("puts arguments back that somebody else has replaced since", async () => {
    const { person, id } = await createScene({ persons: 2 });
    const [first, second] = [await person(), await person()];
    await grantApproval(first, { id, arguments: { amount: 300 } });
    await grantApproval(second, { id, arguments: { amount: 400 } });
    const back = await grantApproval(first, { id, arguments: { amount: 300 } });
    expect(back).toMatchObject({ status: "pending", editedArguments: { amount: 300 } });
    await grantSeen(second, id);
    const late = grantApproval(first, { id, arguments: { amount: 400 } });
    expect(await getErrorCode(late)).toBe("invalid_state");
  });

  it("is not confirmed to who sends arguments again that others have replaced", async () => {
    const { person, id } = await createScene({ persons: 2 });
    const [first, second, third] = [await person(), await person(), await person()];
    await grantApproval(first, { id, arguments: { amount: 300 } });
    await grantApproval(second, { id, arguments: { amount: 400 } });
    await grantSeen(third, id);
    const repeated = grantApproval(first, { id, arguments: { amount: 300 } });
    expect(await getErrorCode(repeated)).toBe("invalid_state");
  });

  it("is approved by nobody who does not say what they saw, before, after and without an edit", async () => {
    const { person, id } = await createScene({ persons: 2 });
    const [first, second] = [await person(), await person()];
    for (const amount of [null, 90_000, 900]) {
      if (amount !== null) await grantApproval(first, { id, arguments: { amount } });
      await expect(grantApproval(second, { id, comment: "Fine" })).rejects.toMatchObject({
        ...{ code: "validation_failed", details: { errors: [{ field: "requestHash" }] } },
      });
    }
    const approval = await second.db.approval.findFirstOrThrow({ where: { id } });
    expect(approval.status).toBe("pending");
  });

  it("is the agent's own request again with its own arguments", async () => {
    const { ask, person, id } = await createScene({ persons: 2 });
    await grantApproval(await person(), { id, arguments: { amount: 300 } });
    const [second, third] = [await person(), await person()];
    const back = await grantApproval(second, { id, arguments: { amount: 900 } });
    expect(back).toMatchObject({ status: "pending", editedArguments: null, editedHash: null });
    expect((await grantSeen(third, id)).status).toBe("approved");
    expect((await ask()).status).toBe("allowed");
  });
});
