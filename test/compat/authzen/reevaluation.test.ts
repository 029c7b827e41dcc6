import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { type AccessRequestScene, createAccessRequestScene } from "../../support/access-request-scene.ts";
import { createAuthzenScene } from "../../support/authzen-scene.ts";
import { ALLOW, ASK } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: AccessRequestScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createAccessRequestScene(world);
});

describe("a re-evaluation", () => {
  it("uses the approval, and says what is executed until when", async () => {
    const approval = await scene.approve();
    const { decision, context } = await scene.evaluate(scene.withApproval(approval));
    expect({ decision, context }).toMatchObject({
      decision: true,
      context: {
        reason: "approval_granted",
        approval: { id: approval.id, approved_until: approval.approved_until },
        execution: {
          id: expect.any(String),
          fence: expect.any(Number),
          lease_expires_at: expect.any(String),
        },
      },
    });
    const execution = await scene.ctx.db.execution.findFirstOrThrow({ where: { id: context.execution.id } });
    expect(execution).toMatchObject({ approvalId: approval.id, decisionId: context.evaluation_id });
  });

  it("is repeated only with the same Idempotency-Key or X-Request-ID of the same credential", async () => {
    for (const name of ["idempotency-key", "x-request-id"]) {
      const approval = await scene.approve(scene.ask({ amount: 900, by: name }));
      const request = scene.withApproval(approval, { amount: 900, by: name });
      const first = await scene.evaluate(request, { [name]: "k1" });
      expect(await scene.evaluate(request, { [name]: "k1" })).toEqual(first);
      const late = { decision: false, context: { reason: "approval_expired", next_action: "request" } };
      const other = await scene.evaluate(request, { [name]: "k2" });
      expect(other).toMatchObject(late);
      expect(await scene.evaluate(request)).toMatchObject(late);
      expect(other.context.access_request).toMatchObject({ expires_at: expect.any(String) });
      const denial = {
        evaluation_id: other.context.evaluation_id,
        expires_at: other.context.access_request.expires_at,
      };
      const asked = await scene.post("requests", { ...scene.ask({ amount: 900, by: name }), denial });
      expect(asked).toMatchObject({ status: 202 });
    }
  });

  it("refuses a number that no reader can take, with and without a key", async () => {
    const body = JSON.stringify(scene.ask()).replace("900", "1e999");
    expect(body).toContain("1e999");
    for (const headers of [{}, { "idempotency-key": "k1" }, { "x-request-id": "k1" }]) {
      expect(await scene.post("evaluation", body, headers)).toMatchObject({ status: 400 });
    }
  });

  it("refuses an Idempotency-Key of another request, and takes an X-Request-ID for several", async () => {
    const [one, two] = [
      await scene.approve(scene.ask({ amount: 801 })),
      await scene.approve(scene.ask({ amount: 802 })),
    ];
    const requests = [
      scene.withApproval(one, { amount: 801 }),
      scene.withApproval(two, { amount: 802 }),
    ] as const;
    await scene.evaluate(requests[0], { "idempotency-key": "same" });
    const mismatch = await scene.post("evaluation", requests[1], { "idempotency-key": "same" });
    expect(mismatch).toMatchObject({ status: 400, body: expect.stringContaining("Idempotency-Key") });
    expect(await scene.evaluate(requests[1], { "x-request-id": "same" })).toMatchObject({ decision: true });
  });

  it("takes an approval for nothing else: swapped, replayed, revoked, or of changed policies", async () => {
    const [one, two] = [
      await scene.approve(scene.ask({ amount: 801 })),
      await scene.approve(scene.ask({ amount: 802 })),
    ];
    const swapped = await scene.evaluate(scene.withApproval(one, { amount: 802 }));
    expect(swapped).toMatchObject({
      decision: false,
      context: { reason: "out_of_scope", next_action: "request", access_request: {} },
    });
    await revokeApproval(scene.person, { id: two.id, reason: "No." });
    const late = { decision: false, context: { reason: "approval_expired", next_action: "request" } };
    expect(await scene.evaluate(scene.withApproval(two, { amount: 802 }))).toMatchObject(late);
    const policy = await scene.ctx.db.policy.findFirstOrThrow({ where: { name: ASK.name } });
    await updatePolicy(scene.ctx, { id: policy.id }, { ...ASK, when: "has(args.amount)" });
    expect(await scene.evaluate(scene.withApproval(one, { amount: 801 }))).toMatchObject(late);
    expect(await scene.ctx.db.execution.count()).toBe(0);
  });

  it("is denied by policies and people whatever was approved, and then nothing is to be done", async () => {
    const approval = await scene.approve();
    const { body } = await scene.submit(scene.ask({ amount: 999 }));
    await denyApproval(scene.person, { id: body.task.id, comment: "No." });
    const never = { decision: false, context: { reason: "policy_denied", next_action: "none" } };
    expect(await scene.evaluate(scene.withApproval({ id: body.task.id }, { amount: 999 }))).toMatchObject(
      never,
    );
    await createPolicy(scene.ctx, { name: "never", effect: "deny", actions: ["tools/call"] });
    const denied = await scene.evaluate(scene.withApproval(approval));
    expect(denied).toMatchObject(never);
    expect(denied.context).not.toHaveProperty("access_request");
  });

  it("waits for people with an approval that is pending", async () => {
    const { body } = await scene.submit();
    expect(await scene.evaluate(scene.withApproval({ id: body.task.id }))).toMatchObject({
      decision: false,
      context: { reason: "approval_required", next_action: "retry", retry_after: 5 },
    });
  });

  it.each([[{ id: "x" }], [{ id: 7 }], ["x"], [{}], [{ id: crypto.randomUUID() }]])(
    "takes no approval that can't be verified (%#), and logs that",
    async (approval) => {
      const { decision, context } = await scene.evaluate(scene.withApproval(approval as object));
      expect(decision).toBe(false);
      expect(context).toMatchObject({ reason: "approval_unverifiable", next_action: "none" });
      expect(context).not.toHaveProperty("access_request");
      const logged = await scene.ctx.db.decision.findFirstOrThrow({ where: { id: context.evaluation_id } });
      expect(logged).toMatchObject({ outcome: "deny", reason: "approval_unverifiable" });
    },
  );

  it("takes no approval of another workspace, nor one with somebody else's proof", async () => {
    const approval = await scene.approve();
    const unverifiable = { decision: false, context: { reason: "approval_unverifiable" } };
    expect(await scene.evaluate(scene.withApproval({ ...approval, state: "e30.e30.e30" }))).toMatchObject(
      unverifiable,
    );
    const other = await createAuthzenScene(world, { entities: {}, policies: [ALLOW, ASK] });
    const subject = { type: "agent", id: other.agentId };
    const { body } = await other.post("evaluation", { ...scene.withApproval(approval), subject });
    expect(body).toMatchObject(unverifiable);
    expect(await scene.evaluate(scene.withApproval(approval))).toMatchObject({ decision: true });
  });

  it("opens an execution that ends unreported if nobody reports, and completed if somebody does", async () => {
    const [one, two] = [
      await scene.approve(scene.ask({ amount: 801 })),
      await scene.approve(scene.ask({ amount: 802 })),
    ];
    const first = (await scene.evaluate(scene.withApproval(one, { amount: 801 }))).context.execution;
    const second = (await scene.evaluate(scene.withApproval(two, { amount: 802 }))).context.execution;
    await completeExecution(scene.self, { id: second.id, fence: second.fence });
    await sweepExecutions(world.server.services, new Date(new Date(first.lease_expires_at).getTime() + 1));
    const ended = await scene.ctx.db.execution.findMany({ orderBy: { fence: "asc" } });
    expect(ended.map(({ status }) => status)).toEqual(["unreported", "completed"]);
    const events = await world.server.database.query(
      "SELECT type, data ->> 'status' AS status FROM event WHERE subject_id = $1 AND subject_type = 'execution' ORDER BY seq",
      [first.id],
    );
    expect(events.at(-1)).toEqual({ type: "execution.finished", status: "unreported" });
  });
});
