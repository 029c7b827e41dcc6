import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { releaseTask } from "../../../src/domain/tasks/release-task.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { createAgentCommand } from "../../support/factories.ts";
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

function isRefused(person: Ctx, id: string): Promise<boolean> {
  return getErrorCode(grantApproval(person, { id })).then((code) => code === "self_approval");
}

describe("people don't approve their own work", () => {
  it("which is also what is below their task, however deep", async () => {
    const scene = await createApprovalScene(world);
    const [creator, other] = [await scene.person(), await scene.person()];
    let { id } = await createTask(creator, { title: "The whole" });
    for (let depth = 0; depth < 40; depth++) {
      ({ id } = await createTask(scene.agent, { title: "A part", parentTaskId: id }));
    }
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

  it("nor by joining a question that it asked for somebody else's", async () => {
    const scene = await createApprovalScene(world);
    const people = [await scene.person(), await scene.person()] as const;
    const asked: string[] = [];
    for (const [index, creator] of people.entries()) {
      const task = await hold(scene, creator);
      asked.push(await scene.request());
      await [releaseTask, completeTask][index]?.(scene.agent, task);
    }
    const [first = "", second] = asked;
    expect(second).toBe(first);
    for (const creator of people) expect(await isRefused(creator, first)).toBe(true);
    expect((await grantApproval(await scene.person(), { id: first })).status).toBe("approved");
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
    await setNames(ctx, own, { email: "ada@acme.example", userName: "Ada.L", externalId: "Okta-7" });
    const { workspaceId } = ctx;
    await ctx.db.userEmail.create({
      data: { workspaceId, userId: getUserId(own), place: 0, value: "Ada@Home.example" },
    });
    const names = [
      "ada@acme.example",
      " ADA@acme.example ",
      "mailto:ada@acme.example",
      "ada@home.example",
      "ada.l",
      "Okta-7",
    ];
    const asked: string[] = [];
    for (const id of names) asked.push(await request(refund(undefined, { subject: { type: "user", id } })));
    expect(new Set(asked).size).toBe(names.length);
    await setNames(ctx, own, { email: "countess@acme.example", userName: "countess", externalId: "Okta-8" });
    for (const id of asked) expect(await isRefused(own, id), names[asked.indexOf(id)]).toBe(true);
    for (const id of asked) expect((await grantApproval(other, { id })).status).toBe("approved");
  });

  it("nor their own work by another account of the same identity", async () => {
    const scene = await createApprovalScene(world);
    const [before, again] = [await scene.person(), await scene.person()];
    for (const account of [before, again]) await setNames(scene.ctx, account, { externalId: "Okta-9" });
    const { id } = await createTask(before, { title: "Refund" });
    expect(await isRefused(again, await scene.request(aboutTask(id)))).toBe(true);
  });
});
