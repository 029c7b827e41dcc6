import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { requestAccess } from "../../../src/domain/gateway-checks/request-access.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import {
  type AccessRequestScene,
  accessProblem,
  createAccessRequestScene,
} from "../../support/access-request-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
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

describe("a denial that people can lift", () => {
  it("says until when they can be asked, and which policy asks to those who may know", async () => {
    const { decision, context } = await scene.evaluate();
    expect(decision).toBe(false);
    const until = new Date(new Date(context.evaluated_at).getTime() + 600_000).toISOString();
    expect(context).toMatchObject({
      reason: "approval_required",
      access_request: { template: context.policy.id, expires_at: until },
    });
    const less = await scene.agentWith("gateway:check");
    const { body } = await less.post("/access/v1/evaluation", scene.ask());
    expect(Object.keys(body.context.access_request)).toEqual(["expires_at"]);
  });

  it("is no other denial, and none that nobody could read", async () => {
    await createPolicy(scene.ctx, { name: "never", effect: "deny", actions: ["burn"] });
    const burned = await scene.evaluate({ ...scene.ask(), action: { name: "burn" } });
    expect(burned).toMatchObject({ decision: false, context: { reason: "policy_deny" } });
    expect(burned.context).not.toHaveProperty("access_request");
    const large = await scene.evaluate(scene.ask({ amount: 900, text: "x".repeat(70_000) }));
    expect(large.context).toMatchObject({ reason: "approval_required" });
    expect(large.context).not.toHaveProperty("access_request");
  });
});

describe("POST /access/v1/requests", () => {
  it("asks people: 202 with where to look, until when, and how to cancel", async () => {
    const denial = await scene.deny();
    const { status, headers, body } = await scene.post("requests", { ...scene.ask(), denial });
    expect(status).toBe(202);
    const endpoint = `${world.server.url}/access/v1/requests/${body.task.id}`;
    expect(headers.get("location")).toBe(endpoint);
    const approval = await scene.ctx.db.approval.findFirstOrThrow({ where: { id: body.task.id } });
    expect(body).toEqual({
      task: {
        ...{ id: approval.id, status: "pending", status_endpoint: endpoint },
        expires_at: approval.expiresAt.toISOString(),
        links: { cancel: `${endpoint}/cancel` },
      },
    });
    expect(approval).toMatchObject({ decisionId: denial.evaluation_id, status: "pending" });
  });

  it("joins the question that is open, and is 201 with the result once people have decided", async () => {
    const first = await scene.submit();
    const second = await scene.submit();
    expect(second).toMatchObject({ status: 202, body: first.body });
    await grantApproval(scene.person, { id: first.body.task.id });
    const third = await scene.submit();
    expect(third).toMatchObject({
      status: 201,
      body: { task: { id: first.body.task.id, status: "approved" }, result: { mode: "reevaluate" } },
    });
    const other = await scene.submit(scene.ask({ amount: 901 }));
    await denyApproval(scene.person, { id: other.body.task.id, comment: "No." });
    const again = await scene.submit(scene.ask({ amount: 901 }));
    expect(again).toMatchObject({
      status: 201,
      body: { task: { id: other.body.task.id, status: "denied" } },
    });
    expect(again.body).not.toHaveProperty("result");
  });

  it("gives the same answer to the same Idempotency-Key, and refuses it for another body", async () => {
    const denial = await scene.deny();
    const headers = { "idempotency-key": "one" };
    const first = await scene.post("requests", { ...scene.ask(), denial }, headers);
    await cancelApproval(scene.self, { id: first.body.task.id });
    // The same JSON in another order.
    const again = await scene.post("requests", { denial, ...scene.ask() }, headers);
    expect(again.body.task).toMatchObject({ id: first.body.task.id, status: "cancelled" });
    const other = await scene.post("requests", { ...scene.ask(), denial, client: { id: "x" } }, headers);
    expect(other).toMatchObject(accessProblem("duplicate_request", 409));
    expect(other.headers.get("content-type")).toBe("application/problem+json");
    const anew = await scene.post("requests", { ...scene.ask(), denial });
    expect(anew.body.task.id).not.toBe(first.body.task.id);
  });

  it.each([
    [{ items: [] }, "not_requestable"],
    [{ callback: { url: "https://example.com" } }, "not_requestable"],
    [{ denial: undefined }, "invalid_denial_binding"],
    [{ denial: "x" }, "invalid_denial_binding"],
    [{ denial: { evaluation_id: "x", expires_at: "2026-01-01T00:00:00Z" } }, "invalid_denial_binding"],
    [{ denial: { evaluation_id: crypto.randomUUID() } }, "invalid_denial_binding"],
    [
      { denial: { evaluation_id: crypto.randomUUID(), expires_at: "2126-01-01T00:00:00Z" } },
      "invalid_denial_binding",
    ],
  ])("refuses what is not supported or not bound to an evaluation (%#)", async (extra, type) => {
    expect(await scene.submit(scene.ask(), extra)).toMatchObject(accessProblem(type, 400));
  });

  it("refuses another request than the one that was evaluated", async () => {
    const denial = await scene.deny();
    const swapped = [
      scene.ask({ amount: 5000 }),
      scene.ask({ amount: 10 }),
      { ...scene.ask(), resource: { type: "tool", id: "stripe.refund_all" } },
      { ...scene.ask(), action: { ...scene.ask().action, name: "tools/list" } },
      { ...scene.ask(), subject: { type: "user", id: "ada" } },
    ];
    for (const request of swapped) {
      expect(await scene.post("requests", { ...request, denial })).toMatchObject(
        accessProblem("invalid_denial_binding", 400),
      );
    }
    const token = { ...denial, binding_token: "e30.e30.e30" };
    expect(await scene.post("requests", { ...scene.ask(), denial: token })).toMatchObject(
      accessProblem("invalid_denial_binding", 400),
    );
    const later = { ...denial, expires_at: "2126-01-01T00:00:00Z" };
    expect(await scene.post("requests", { ...scene.ask(), denial: later })).toMatchObject(
      accessProblem("invalid_denial_binding", 400),
    );
    expect(await scene.ctx.db.approval.count()).toBe(0);
  });

  it("binds the context that the asking policy reads, and takes any other", async () => {
    const when = "has(request.ticket)";
    await createPolicy(scene.ctx, {
      ...ASK,
      name: "tickets",
      actions: ["close"],
      resources: undefined,
      when,
    });
    const close = (context: object) => ({ ...scene.ask(), action: { name: "close" }, context });
    const denial = await scene.deny(close({ ticket: 7 }));
    const said = { ticket: 7, business_justification: "The customer waits." };
    const other = await scene.post("requests", { ...close({ ...said, ticket: 8 }), denial });
    expect(other).toMatchObject(accessProblem("invalid_denial_binding", 400));
    expect(await scene.post("requests", { ...close(said), denial })).toMatchObject({ status: 202 });
  });

  it("refuses denials of other agents, those by policies, and what policies no longer ask about", async () => {
    const denial = await scene.deny();
    const other = agentCtx(world.server, {
      id: await insertTestAgent(scene.ctx),
      workspaceId: scene.ctx.workspaceId,
    });
    const bound = { evaluationId: denial.evaluation_id, expiresAt: new Date(denial.expires_at) };
    await expect(
      requestAccess(other, { ...bound, requestText: JSON.stringify(refund()) }),
    ).rejects.toMatchObject({ code: "invalid_denial_binding" });
    const burn = { ...scene.ask(), action: { name: "burn" } };
    const burned = (await scene.evaluate(burn)).context.evaluation_id;
    const of = { evaluation_id: burned, expires_at: denial.expires_at };
    expect(await scene.post("requests", { ...burn, denial: of })).toMatchObject(
      accessProblem("not_requestable", 400),
    );
    await createPolicy(scene.ctx, { name: "never", effect: "deny", actions: ["tools/call"] });
    expect(await scene.post("requests", { ...scene.ask(), denial })).toMatchObject(
      accessProblem("not_requestable", 400),
    );
  });

  it("refuses a denial whose policy was changed since", async () => {
    const denial = await scene.deny();
    const policy = await scene.ctx.db.policy.findFirstOrThrow({ where: { name: ASK.name } });
    await updatePolicy(scene.ctx, { id: policy.id }, { ...ASK, when: "has(args.amount)" });
    const answer = await scene.post("requests", { ...scene.ask(), denial });
    expect(answer).toMatchObject(accessProblem("invalid_denial_binding", 400));
    expect(answer.body.detail).toContain("policies");
  });

  it("refuses a denial that is too old, whatever the caller says of it", async () => {
    const denial = await scene.deny();
    const past = { ...denial, expires_at: "2026-01-01T00:00:00Z" };
    expect(await scene.post("requests", { ...scene.ask(), denial: past })).toMatchObject(
      accessProblem("expired_denial", 410),
    );
    const expiresAt = new Date(denial.expires_at);
    const at = (now: Date) =>
      requestAccess(
        agentCtx(world.server, { id: scene.agentId, workspaceId: scene.ctx.workspaceId }, { now }),
        { evaluationId: denial.evaluation_id, expiresAt, requestText: JSON.stringify(scene.ask()) },
      );
    await expect(at(expiresAt)).rejects.toMatchObject({ code: "expired_denial" });
    expect(await at(new Date(expiresAt.getTime() - 1))).toMatchObject({ status: "pending" });
  });

  it("needs the scope, a subject and JSON", async () => {
    const denial = await scene.deny();
    const reader = await scene.agentWith("gateway:read");
    expect(await reader.post("/access/v1/requests", { ...scene.ask(), denial })).toMatchObject({
      status: 403,
    });
    const nobody = refund();
    expect(await scene.post("requests", { ...nobody, denial })).toMatchObject({
      ...{ status: 400, body: "subject: is required" },
    });
    expect(await scene.post("requests", "[")).toMatchObject({ status: 400, body: expect.any(String) });
    const key = { "idempotency-key": "a b" };
    expect(await scene.post("requests", { ...scene.ask(), denial }, key)).toMatchObject({ status: 400 });
  });
});
