import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type NodeProcess, startNode } from "../../support/node-process.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { claimNew } from "../../support/workers.ts";

const CHECK = "/api/v1/gateway/check";

let world: TestWorld;
let node: NodeProcess;
let scene: ApprovalScene;
let doomed: TestClient;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function open(): Promise<void> {
  node = await startNode(world.server.database.url);
  onTestFinished(node.kill);
  scene = await createApprovalScene(world);
  doomed = createTestClient(node.url, scene.token);
}

function requestFor(taskId: string, amount: number, wait = 0): object {
  return { request: refund({ amount }, { context: { task_id: taskId } }), options: { wait } };
}

/** The tasks whose status isn't what their open approvals say. */
async function findWrong(): Promise<object[]> {
  return world.server.database.query(
    `SELECT t.id, t.status FROM task t WHERE t.workspace_id = $1 AND (t.status = 'auth_required') <> EXISTS (
       SELECT FROM approval a WHERE a.workspace_id = $1 AND a.task_id = t.id AND a.status = 'pending')`,
    [scene.ctx.workspaceId],
  );
}

async function countTasks(status: "working" | "auth_required"): Promise<number> {
  return scene.ctx.db.task.count({ where: { status } });
}

describe("a node that is killed", () => {
  it("leaves a task waiting whose held call it had, which goes on once people decide elsewhere", async () => {
    await open();
    const { task } = await claimNew(scene.agent);
    const held = doomed.post(CHECK, requestFor(task.id, 900, 25)).catch(() => "lost");
    await vi.waitFor(async () => expect(await countTasks("auth_required")).toBe(1), PATIENCE);
    await node.kill();
    expect(await held).toBe("lost");
    expect(await countTasks("auth_required")).toBe(1);
    const { id } = await scene.ctx.db.approval.findFirstOrThrow();
    await grantApproval(await scene.person(), { id });
    expect(await countTasks("working")).toBe(1);
  });

  it("leaves no task waiting for nothing, nor working while people are asked, whenever it is killed", async () => {
    await open();
    const tasks = await Promise.all(
      Array.from({ length: 12 }, async () => (await claimNew(scene.agent)).task.id),
    );
    let answered = 0;
    async function askAndCancel(taskId: string): Promise<never> {
      for (let round = 0; ; round++) {
        const { body } = await doomed.post(CHECK, requestFor(taskId, 1000 + round));
        answered++;
        if (round % 3 === 2) continue;
        await doomed.post(`/api/v1/gateway/approvals/${body.check.approval.id}/cancel`, {});
        answered++;
      }
    }
    const ended = Promise.allSettled(tasks.map(askAndCancel));
    await vi.waitFor(() => expect(answered).toBeGreaterThan(60), PATIENCE);
    await node.kill();
    await ended;
    // What its sessions had sent ends before it can be looked at.
    await vi.waitFor(async () => expect(await findWrong()).toEqual([]), PATIENCE);
    const [one, ...pending] = await scene.ctx.db.approval.findMany({ where: { status: "pending" } });
    expect(pending.length).toBeGreaterThan(0);
    await cancelApproval(scene.agent, { id: one?.id ?? "" });
    await sweepApprovals(world.server.services, new Date(Date.now() + 90_000_000));
    expect(await findWrong()).toEqual([]);
    expect(await countTasks("working")).toBe(12);
  });
});
