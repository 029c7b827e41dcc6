import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/db/sql.ts";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { createAgentCommand, insertTestAgent } from "../../support/factories.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function getUserId({ actor }: Ctx): string {
  if (actor.type !== "user") throw new Error("not a person");
  return actor.id;
}

/** Creates a task in a queue of its own, and has the agent claim it. */
async function hold({ agent }: ApprovalScene, creator: Ctx, fields: { parentTaskId?: string } = {}) {
  const queue = `queue-${crypto.randomUUID()}`;
  const task = await createTask(creator, { title: "Refund", queue, ...fields });
  const claim = await claimTask(agent, { queues: [queue] });
  if (claim === null) throw new Error("there is a task to claim");
  return { id: task.id, leaseToken: claim.lease.token };
}

function aboutTask(id: string, args?: object): object {
  return refund(args, { context: { task_id: id } });
}

const HOLD_MANY = sql`
INSERT INTO task (workspace_id, id, context_id, title, queue, input, created_by, status, claimed_by_agent_id, labels, metadata)
SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'One of many', 'many', '[]', '{"type": "system"}', 'working',
  $2::uuid, '{}', '{}'
FROM generate_series(1, $3)`;

function isRefused(person: Ctx, id: string): Promise<boolean> {
  return getErrorCode(grantApproval(person, { id })).then((code) => code === "self_approval");
}

describe("people don't approve their own work", () => {
  it("which is also what is below their task, however deep", async () => {
    const scene = await createApprovalScene(world);
    const [creator, other] = [await scene.person(), await scene.person()];
    let { id } = await createTask(creator, { title: "The whole" });
    for (let level = 1; level < LIMITS.taskLevels; level++) {
      ({ id } = await createTask(scene.agent, { title: "A part", parentTaskId: id }));
    }
    const tooDeep = createTask(scene.agent, { title: "A part", parentTaskId: id });
    await expect(tooDeep).rejects.toMatchObject({
      ...{ code: "validation_failed", details: { field: "parentTaskId" } },
    });
    const asked = await scene.request(aboutTask(id));
    expect(await isRefused(creator, asked)).toBe(true);
    expect((await grantApproval(other, { id: asked })).status).toBe("approved");
  });

  it("and an agent doesn't hide it by a task that it created itself", async () => {
    const scene = await createApprovalScene(world);
    const [creator, other] = [await scene.person(), await scene.person()];
    await hold(scene, creator);
    const made = await hold(scene, scene.agent);
    const asked = await scene.request(aboutTask(made.id));
    expect(await isRefused(creator, asked)).toBe(true);
    expect((await grantApproval(other, { id: asked })).status).toBe("approved");
  });

  it("nor by a task that it created below somebody else's", async () => {
    const scene = await createApprovalScene(world);
    const [creator, other] = [await scene.person(), await scene.person()];
    await hold(scene, creator);
    const { id: parentTaskId } = await createTask(other, { title: "Nothing to do with it" });
    const made = await hold(scene, scene.agent, { parentTaskId });
    const asked = await scene.request(aboutTask(made.id));
    for (const person of [creator, other]) expect(await isRefused(person, asked)).toBe(true);
    expect((await grantApproval(await scene.person(), { id: asked })).status).toBe("approved");
  });

  it("which an open question is about as it was asked last, and as it is now", async () => {
    const scene = await createApprovalScene(world);
    const [before, then, now] = [await scene.person(), await scene.person(), await scene.person()];
    const asked: string[] = [];
    for (const creator of [before, then]) {
      const task = await hold(scene, creator);
      asked.push(await scene.request());
      await releaseTask(scene.agent, task);
    }
    await hold(scene, now);
    const [id = "", again] = asked;
    expect(again).toBe(id);
    for (const creator of [then, now]) expect(await isRefused(creator, id)).toBe(true);
    expect((await grantApproval(before, { id })).status).toBe("approved");
  });

  it("also if it becomes theirs after they approved it: then people are asked again", async () => {
    const scene = await createApprovalScene(world);
    const [before, after] = [await scene.person(), await scene.person()];
    const task = await hold(scene, before);
    const approvalId = await scene.request();
    await grantApproval(after, { id: approvalId });
    await releaseTask(scene.agent, task);
    const own = await hold(scene, after);
    const use = () => redeemApproval(scene.agent, { approvalId, requestText: JSON.stringify(refund()) });
    expect(await getErrorCode(use())).toBe("approval_expired");
    const again = await scene.ask();
    expect(again).toMatchObject({ status: "pending", reason: "approval_required" });
    expect(again.approval?.id).not.toBe(approvalId);
    await cancelApproval(scene.agent, { id: again.approval?.id ?? "" });
    await releaseTask(scene.agent, own);
    expect(await scene.ask()).toMatchObject({ status: "allowed", approval: { id: approvalId } });
  });

  it("nor does an approval of two people count that is from one whose work it is now", async () => {
    const scene = await createApprovalScene(world, { persons: 2 });
    const [first, second, third] = [await scene.person(), await scene.person(), await scene.person()];
    const id = await scene.request();
    await grantApproval(first, { id });
    await hold(scene, first);
    expect((await grantApproval(second, { id })).status).toBe("pending");
    expect((await grantApproval(third, { id })).status).toBe("approved");
  });

  it("and if the agent works on too much to tell whose it is, nobody is asked and nobody approves", async () => {
    const scene = await createApprovalScene(world);
    const id = await scene.request();
    await scene.ctx.run(HOLD_MANY, [scene.ctx.workspaceId, scene.agentId, LIMITS.workOfQuestion + 1]);
    expect(await getErrorCode(scene.request(refund({ amount: 901 })))).toBe("rate_limited");
    expect(await getErrorCode(grantApproval(await scene.person(), { id }))).toBe("rate_limited");
    const creator = await scene.person();
    const named = await hold(scene, creator);
    const asked = await scene.request(aboutTask(named.id));
    expect(await isRefused(creator, asked)).toBe(true);
    expect((await grantApproval(await scene.person(), { id: asked })).status).toBe("approved");
  });

  it("which is what an agent does while it executes their command", async () => {
    const scene = await createApprovalScene(world);
    const [issuer, other] = [await scene.person(), await scene.person()];
    const issuedBy = { ...createActorRecord(issuer.actor) };
    await createAgentCommand(scene.ctx, scene.agentId, {
      status: "succeeded",
      issuedBy: { ...createActorRecord(other.actor) },
    });
    const id = await createAgentCommand(scene.ctx, scene.agentId, { status: "running", issuedBy });
    const asked = await scene.request();
    const where = { workspaceId_id: { workspaceId: scene.ctx.workspaceId, id } };
    await scene.ctx.db.agentCommand.update({ where, data: { status: "succeeded" } });
    expect(await isRefused(issuer, asked)).toBe(true);
    expect((await grantApproval(other, { id: asked })).status).toBe("approved");
  });
});

describe("people don't approve what is for themselves", () => {
  async function setNames(
    ctx: Ctx,
    person: Ctx,
    data: { email?: string; userName?: string; externalId?: string },
  ) {
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: getUserId(person) } };
    await ctx.db.user.update({ where, data });
  }

  it("by whichever name an agent asks, also if that was changed since", async () => {
    const scene = await createApprovalScene(world);
    const { ctx, request, person } = scene;
    const [own, other] = [await person(), await person()];
    await setNames(ctx, own, { email: "ada@acme.example", userName: "Ädà.L", externalId: "Okta-7" });
    const { workspaceId } = ctx;
    await ctx.db.userEmail.create({
      data: { workspaceId, userId: getUserId(own), place: 0, value: "Ada@Home.example" },
    });
    const names = [
      ...["ada@acme.example", " ADA@acme.example ", "mailto:ada@acme.example", "ada@home.example"],
      ...["ädà.l", "A\u0308da\u0300.L", "Okta-7", "okta-7", "Okta-7\t", "\u00a0Okta-7"],
    ];
    const asked: string[] = [];
    for (const id of names) asked.push(await request(refund(undefined, { subject: { type: "user", id } })));
    expect(new Set(asked).size).toBe(names.length);
    await setNames(ctx, own, { email: "countess@acme.example", userName: "countess", externalId: "Okta-8" });
    for (const id of asked) expect(await isRefused(own, id), names[asked.indexOf(id)]).toBe(true);
    for (const id of asked) expect((await grantApproval(other, { id })).status).toBe("approved");
  });

  it("which is not what has the same name as a person, or as an agent that works for one", async () => {
    const scene = await createApprovalScene(world);
    const own = await scene.person();
    await setNames(scene.ctx, own, { externalId: "billing-7" });
    await hold(scene, own);
    const bystander = agentCtx(world.server, {
      ...{ id: await insertTestAgent(scene.ctx), workspaceId: scene.ctx.workspaceId },
    });
    const subject = { type: "order", id: "billing-7" };
    const requestText = JSON.stringify(refund(undefined, { subject }));
    const { approval } = await checkRequest(bystander, { requestText });
    expect((await grantApproval(own, { id: approval?.id ?? "" })).status).toBe("approved");
  });

  it.each(["Okta-9", ""])(
    "nor their own work by another account of the same identity: %j",
    async (externalId) => {
      const scene = await createApprovalScene(world);
      const [before, again] = [await scene.person(), await scene.person()];
      for (const account of [before, again]) await setNames(scene.ctx, account, { externalId });
      const { id } = await createTask(before, { title: "Refund" });
      const isSame = externalId !== "";
      expect(await isRefused(again, await scene.request(aboutTask(id)))).toBe(isSame);
    },
  );
});
