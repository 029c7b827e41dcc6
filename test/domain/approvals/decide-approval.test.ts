import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { readApproval } from "../../../src/domain/approvals/read-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { refund } from "../../support/gateway-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { lastAudit, readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const COMMENT = { comment: "Not today." };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function getUserId({ actor }: Ctx): string {
  if (actor.type !== "user") throw new Error("not a person");
  return actor.id;
}

function suspend(ctx: Ctx, person: Ctx) {
  return deactivateUser(ctx, getUserId(person));
}

describe("grantApproval", () => {
  it("approves for as long as the policy says, with an event and an audit event without arguments", async () => {
    const { request, person, ctx } = await createApprovalScene(world, { validSeconds: 60 });
    const id = await request();
    const approved = await grantApproval(await person(), { id, comment: "Fine." });
    expect(approved.status).toBe("approved");
    const { decidedAt, approvedUntil } = approved;
    expect(Number(approvedUntil) - Number(decidedAt)).toBe(60_000);
    expect(await readEventTypes(world.server, id)).toEqual(["approval.requested", "approval.decided"]);
    const audit = await lastAudit(world.server, ctx.workspaceId);
    expect(audit).toMatchObject({ action: "approval.granted", target_id: id, changes: { comment: "Fine." } });
    expect(JSON.stringify(audit)).not.toContain("900");
  });

  it("counts two clicks of one person once", async () => {
    const { request, person } = await createApprovalScene(world, { persons: 2 });
    const id = await request();
    const first = await person();
    const clicks = await Promise.all([grantApproval(first, { id }), grantApproval(first, { id })]);
    expect(clicks.map(({ status }) => status)).toEqual(["pending", "pending"]);
    expect(await readEventTypes(world.server, id)).toEqual(["approval.requested", "approval.reviewed"]);
    expect((await grantApproval(await person(), { id })).status).toBe("approved");
    expect((await grantApproval(first, { id })).status).toBe("approved");
  });

  it("does not count a person who was suspended between", async () => {
    const { ctx, request, person } = await createApprovalScene(world, { persons: 2 });
    const [id, first] = [await request(), await person()];
    await grantApproval(first, { id });
    await suspend(ctx, first);
    expect(await getErrorCode(grantApproval(first, { id }))).toMatch(/unauthenticated|invalid_token/);
    expect((await grantApproval(await person(), { id })).status).toBe("pending");
    expect((await grantApproval(await person(), { id })).status).toBe("approved");
  });

  it("needs a session that lives when it decides, and the role of that moment", async () => {
    const { ctx, request, person } = await createApprovalScene(world, { role: "admin" });
    const [id, loggedOut, demoted] = [await request(), await person("admin"), await person("admin")];
    const session = loggedOut.actor.type === "user" ? loggedOut.actor.session?.id : null;
    await ctx.db.userToken.deleteMany({ where: { id: session ?? "" } });
    expect(await getErrorCode(grantApproval(loggedOut, { id }))).toBe("unauthenticated");
    const userId = demoted.actor.type === "user" ? demoted.actor.id : "";
    await ctx.db.user.updateMany({ where: { id: userId }, data: { role: "operator" } });
    expect(await getErrorCode(grantApproval(demoted, { id }))).toBe("forbidden");
    expect(await getErrorCode(denyApproval(demoted, { id, ...COMMENT }))).toBe("forbidden");
    expect((await grantApproval(await person("admin"), { id })).status).toBe("approved");
  });

  it("refuses everybody but people who are logged in", async () => {
    const { ctx, agent, request } = await createApprovalScene(world);
    const id = await request();
    for (const caller of [ctx, agent]) {
      expect(await getErrorCode(grantApproval(caller, { id }))).toBe("forbidden");
      expect(await getErrorCode(denyApproval(caller, { id, ...COMMENT }))).toBe("forbidden");
      expect(await getErrorCode(revokeApproval(caller, { id, reason: "x" }))).toBe("forbidden");
    }
    const unknown = userCtx(world.server, ctx.workspaceId, "owner");
    expect(await getErrorCode(grantApproval(unknown, { id }))).toBe("unauthenticated");
  });

  it("refuses the person who created the task for which the agent asks", async () => {
    const { request, person } = await createApprovalScene(world);
    const creator = await person();
    const task = await createTask(creator, { title: "Refund" });
    const id = await request(refund(undefined, { context: { task_id: task.id } }));
    expect(await getErrorCode(grantApproval(creator, { id }))).toBe("self_approval");
    expect((await grantApproval(await person(), { id })).status).toBe("approved");
  });

  it("refuses the creator of a task that asks the same, though another task asked first", async () => {
    const { request, person } = await createApprovalScene(world);
    const [one, two] = [await person(), await person()];
    const ids: string[] = [];
    for (const creator of [one, two]) {
      const { id } = await createTask(creator, { title: "Refund" });
      ids.push(await request(refund(undefined, { context: { task_id: id } })));
    }
    const [first = "", second = ""] = ids;
    expect(first).not.toBe(second);
    expect(await getErrorCode(grantApproval(two, { id: second }))).toBe("self_approval");
    expect((await grantApproval(two, { id: first })).status).toBe("approved");
    expect(await getErrorCode(grantApproval(one, { id: first }))).toBe("invalid_state");
  });

  it("refuses the creators of the tasks that the agent holds, unless it asks for one of them", async () => {
    const { agent, request, person } = await createApprovalScene(world);
    const [creator, other] = [await person(), await person()];
    await createTask(creator, { title: "Refund", queue: "billing" });
    const unheld = await createTask(other, { title: "Nothing to do with it" });
    await claimTask(agent, { queues: ["billing"] });
    const unnamed = await request();
    const misnamed = await request(refund(undefined, { context: { task_id: unheld.id } }));
    for (const id of [unnamed, misnamed]) {
      expect(await getErrorCode(grantApproval(creator, { id }))).toBe("self_approval");
    }
    expect((await grantApproval(other, { id: unnamed })).status).toBe("approved");
    const another = await createTask(other, { title: "Another", queue: "billing" });
    await claimTask(agent, { queues: ["billing"] });
    const named = await request(refund(undefined, { context: { task_id: another.id } }));
    expect((await grantApproval(creator, { id: named })).status).toBe("approved");
  });

  it.each([
    ["completed", completeTask],
    ["released", releaseTask],
  ])("refuses the creator of the task that the agent held as it asked, and %s since", async (_, letGo) => {
    const { agent, request, person } = await createApprovalScene(world);
    const [creator, other] = [await person(), await person()];
    await createTask(creator, { title: "Refund", queue: "billing" });
    const claim = await claimTask(agent, { queues: ["billing"] });
    if (claim === null) throw new Error("there is a task to claim");
    const id = await request();
    await letGo(agent, { id: claim.task.id, leaseToken: claim.lease.token });
    expect(await getErrorCode(grantApproval(creator, { id }))).toBe("self_approval");
    expect((await grantApproval(other, { id })).status).toBe("approved");
  });

  it("refuses the creators of the tasks of the agent for whom another asks", async () => {
    const { ctx, request, person } = await createApprovalScene(world);
    const [creator, other] = [await person(), await person()];
    await createTask(creator, { title: "Refund", queue: "billing" });
    const id = await insertTestAgent(ctx);
    const { handle } = await ctx.db.agent.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    });
    await claimTask(agentCtx(world.server, { id, workspaceId: ctx.workspaceId }), { queues: ["billing"] });
    for (const name of [id, id.toUpperCase(), handle]) {
      const asked = await request(refund(undefined, { subject: { type: "agent", id: name } }));
      expect(await getErrorCode(grantApproval(creator, { id: asked }))).toBe("self_approval");
      expect((await grantApproval(other, { id: asked })).status).toBe("approved");
    }
  });

  it("refuses the person for whom an agent asks, by id and by email", async () => {
    const { ctx, request, person } = await createApprovalScene(world);
    const own = await person();
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: getUserId(own) } };
    const { id, email } = await ctx.db.user.findUniqueOrThrow({ where });
    for (const name of [id, (email ?? "").toUpperCase()]) {
      const asked = await request(refund(undefined, { subject: { type: "user", id: name } }));
      expect(await getErrorCode(grantApproval(own, { id: asked }))).toBe("self_approval");
      expect((await grantApproval(await person(), { id: asked })).status).toBe("approved");
    }
  });

  it("refuses if the person saw another request", async () => {
    const { request, person } = await createApprovalScene(world);
    const [id, approver] = [await request(), await person()];
    const requestHash = "0".repeat(64);
    expect(await getErrorCode(grantApproval(approver, { id, requestHash }))).toBe("precondition_failed");
    expect(await getErrorCode(denyApproval(approver, { id, requestHash, ...COMMENT }))).toBe(
      "precondition_failed",
    );
    const seen = Buffer.from((await readApproval(approver, { id })).requestHash).toString("hex");
    expect((await grantApproval(approver, { id, requestHash: seen })).status).toBe("approved");
  });

  it("refuses what is not pending any more", async () => {
    const { ctx, request, person } = await createApprovalScene(world);
    const [id, approver] = [await request(), await person()];
    await denyApproval(await person(), { id, ...COMMENT });
    expect(await getErrorCode(grantApproval(approver, { id }))).toBe("invalid_state");
    const late = await request(refund({ amount: 901 }));
    await ctx.db.approval.updateMany({ where: { id: late }, data: { expiresAt: new Date(0) } });
    expect(await getErrorCode(grantApproval(approver, { id: late }))).toBe("invalid_state");
    expect(await sweepApprovals(world.server.services)).toBe(1);
    expect(await getErrorCode(grantApproval(approver, { id: late }))).toBe("invalid_state");
    expect(await readEventTypes(world.server, late)).toEqual(["approval.requested", "approval.expired"]);
  });
});

describe("denyApproval", () => {
  it("decides alone, with a comment", async () => {
    const { request, person } = await createApprovalScene(world, { persons: 2 });
    const [id, denier] = [await request(), await person()];
    await grantApproval(await person(), { id });
    expect(await getErrorCode(denyApproval(denier, { id, comment: "" }))).toBe("validation_failed");
    expect((await denyApproval(denier, { id, ...COMMENT })).status).toBe("denied");
    expect((await denyApproval(denier, { id, ...COMMENT })).status).toBe("denied");
    expect(await getErrorCode(denyApproval(await person(), { id, ...COMMENT }))).toBe("invalid_state");
  });
});

describe("revokeApproval", () => {
  it("ends an approval at once, and only one", async () => {
    const { agent, request, person } = await createApprovalScene(world);
    const [id, approver] = [await request(), await person()];
    expect(await getErrorCode(revokeApproval(approver, { id, reason: "Wrong." }))).toBe("invalid_state");
    await grantApproval(approver, { id });
    const { revokedAt } = await revokeApproval(approver, { id, reason: "Wrong." });
    expect(revokedAt).not.toBeNull();
    expect((await revokeApproval(await person(), { id, reason: "Again." })).revokedReason).toBe("Wrong.");
    const redeemed = redeemApproval(agent, { approvalId: id, requestText: JSON.stringify(refund()) });
    expect(await getErrorCode(redeemed)).toBe("approval_expired");
  });
});

describe("cancelApproval", () => {
  it("takes back the agent's own question only", async () => {
    const { ctx, agent, request, person } = await createApprovalScene(world);
    const id = await request();
    const { workspaceId } = ctx;
    const other = agentCtx(world.server, { id: await insertTestAgent(ctx), workspaceId });
    expect(await getErrorCode(cancelApproval(other, { id }))).toBe("not_found");
    expect(await getErrorCode(cancelApproval(await person("owner"), { id }))).toBe("forbidden");
    expect((await cancelApproval(agent, { id })).status).toBe("cancelled");
    expect((await cancelApproval(agent, { id })).status).toBe("cancelled");
    expect(await getErrorCode(grantApproval(await person(), { id }))).toBe("invalid_state");
  });
});

describe("readApproval", () => {
  it("is for those who may read the gateway, and for the agent that asked", async () => {
    const { ctx, agentId, request, person } = await createApprovalScene(world);
    const id = await request();
    const { workspaceId } = ctx;
    const scopes = ["gateway:check"] as const;
    const [own, other] = [agentId, await insertTestAgent(ctx)].map((one) =>
      agentCtx(world.server, { id: one, workspaceId }, { scopes }),
    );
    expect((await readApproval(own ?? ctx, { id })).id).toBe(id);
    expect(await getErrorCode(readApproval(other ?? ctx, { id }))).toBe("not_found");
    expect((await readApproval(await person("viewer"), { id })).id).toBe(id);
  });

  it("waits while it is pending", async () => {
    const { agent, request, person } = await createApprovalScene(world);
    const [id, approver] = [await request(), await person()];
    const waiting = readApproval(agent, { id, waitSeconds: 25 });
    await grantApproval(approver, { id });
    expect((await waiting).status).toBe("approved");
  });
});
