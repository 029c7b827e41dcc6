import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Execution } from "../../../src/db/generated/client.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
import { holdLock } from "../../support/locked-table.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Repeats a call with its own Idempotency-Key. */
function repeatable<Result>({ agent }: ApprovalScene, work: () => Promise<Result>): () => Promise<Result> {
  const idempotency = { key: crypto.randomUUID(), requestHash: new Uint8Array(32) };
  return async () => {
    agent.idempotency = idempotency;
    try {
      return await work();
    } finally {
      agent.idempotency = null;
    }
  };
}

const SMALL = JSON.stringify(refund({ amount: 5 }));

/** Each way to open an execution, and to get it again. */
const WAYS = {
  plain: async (scene: ApprovalScene) =>
    repeatable(scene, () =>
      startExecution(scene.agent, { decisionId: crypto.randomUUID(), requestText: SMALL }),
    ),
  approved: async (scene: ApprovalScene) => {
    const approvalId = await scene.approved();
    const call = { approvalId, requestText: JSON.stringify(refund()) };
    return repeatable(scene, () => redeemApproval(scene.agent, call));
  },
} satisfies Record<string, (scene: ApprovalScene) => Promise<() => Promise<Execution>>>;

describe.each(Object.entries(WAYS))("a repeated start of an execution: %s", (_name, open) => {
  it("sees an end that is being written", async () => {
    const scene = await createApprovalScene(world);
    const start = await open(scene);
    const { id } = await start();
    const held = await holdLock(
      world.server.database,
      "UPDATE execution SET status = 'completed' WHERE id = $1",
      [id],
    );
    const details = { executionId: id, currentStatus: "completed" };
    // Expected before it is refused, which may be while the lock is released.
    const again = expect(start()).rejects.toMatchObject({ code: "already_executed", details });
    try {
      await held.waiters(1);
    } finally {
      await held.release();
    }
    await again;
  });

  it("gives nothing once the lease is over, also if nobody has noticed yet", async () => {
    // Again with another execution where a sweep of the server was faster.
    await vi.waitFor(async () => {
      const scene = await createApprovalScene(world);
      const start = await open(scene);
      const { id, fence } = await start();
      await scene.ctx.db.execution.updateMany({ where: { id }, data: { leaseExpiresAt: new Date(0) } });
      await expect(start()).rejects.toMatchObject({ code: "lease_lost" });
      const end = completeExecution(scene.agent, { id, fence: Number(fence) });
      await expect(end).rejects.toMatchObject({ code: "lease_lost" });
    }, PATIENCE);
  });

  it("gives nothing if other policies ask since", async () => {
    const scene = await createApprovalScene(world);
    const start = await open(scene);
    const { approvalId } = await start();
    await createPolicy(scene.ctx, { ...ASK, name: "asks about all", when: "true" });
    const code = approvalId === null ? "approval_required" : "approval_expired";
    await expect(start()).rejects.toMatchObject({ code });
    const decision = await scene.ctx.db.decision.findFirst({ orderBy: { createdAt: "desc" } });
    expect(decision).toMatchObject({
      reason: code,
      outcome: approvalId === null ? "ask" : "deny",
      approvalId,
    });
  });
});

describe("a repeated use of an approval", () => {
  it("gives nothing once that was revoked", async () => {
    const scene = await createApprovalScene(world);
    const start = await WAYS.approved(scene);
    const { approvalId } = await start();
    await revokeApproval(await scene.person(), { id: approvalId ?? "", reason: "No." });
    await expect(start()).rejects.toMatchObject({ code: "approval_expired" });
  });

  it("is denied by a check in the same cases, with the execution if that has ended", async () => {
    const scene = await createApprovalScene(world);
    await scene.approved();
    const check = repeatable(scene, () => scene.ask());
    const { execution, approval } = await check();
    await scene.ctx.db.execution.updateMany({ data: { leaseExpiresAt: new Date(0) } });
    expect(await check()).toMatchObject({
      ...{ status: "denied", reason: "approval_expired" },
      execution: { id: execution?.id, status: "started" },
    });
    await revokeApproval(await scene.person(), { id: approval?.id ?? "", reason: "No." });
    expect(await check()).toMatchObject({ status: "denied", reason: "approval_expired", execution: null });
  });
});
