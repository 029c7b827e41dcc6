import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { heartbeatExecution } from "../../../src/domain/executions/heartbeat-execution.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { resolveExecution } from "../../../src/domain/executions/resolve-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { type FlakyProxy, startFlakyProxy } from "../../support/flaky-proxy.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type NodeProcess, startNode } from "../../support/node-process.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/gateway/executions";
const RESULT = { refund: "re_3Q" };

type Call = { id: string; fence: number };

let world: TestWorld;
let node: NodeProcess;
let proxy: FlakyProxy;
let scene: ApprovalScene;
/** Another node, with the same token. */
let elsewhere: TestClient;
/** The approval that was redeemed just before the kill. */
let lostId: string;
/** What was done before the kill: its report was stored, and never arrived. */
let stored: Call;
let unsent: Call;

beforeAll(async () => {
  world = await createWorld();
  node = await startNode(world.server.database.url);
  proxy = await startFlakyProxy(node.url);
  scene = await createApprovalScene(world);
  elsewhere = createTestClient(world.server.url, scene.token);
  const doomed = createTestClient(proxy.url, scene.token);
  [stored, unsent] = [await start(600), await start(601)];
  lostId = await scene.approved();
  // The answers are lost.
  await expect(doomed.post(PATH, { approval_id: lostId, request: refund() })).rejects.toThrow();
  await expect(doomed.post(`${PATH}/${stored.id}/complete`, complete(stored))).rejects.toThrow();
  await node.kill();
  await expect(doomed.post(`${PATH}/${unsent.id}/complete`, complete(unsent))).rejects.toThrow();
});

afterAll(async () => {
  await proxy.close();
  await node.kill();
  await world.server.close();
});

async function start(amount: number): Promise<Call> {
  const request = refund({ amount });
  const approvalId = await scene.approved(request);
  const { id, fence } = await redeemApproval(scene.agent, {
    approvalId,
    requestText: JSON.stringify(request),
  });
  return { id, fence: Number(fence) };
}

function complete({ fence }: Call, result: object = RESULT): object {
  return { fence, result };
}

/** Ends the leases of all executions. */
async function sweepLater(): Promise<void> {
  await sweepExecutions(world.server.services, new Date(Date.now() + 3_600_000));
}

describe("after a node was killed", () => {
  it("a report whose answer was lost is taken once more, and no other", async () => {
    const path = `${PATH}/${stored.id}/complete`;
    expect(await elsewhere.post(path, complete(stored))).toMatchObject({
      ...{ status: 200, body: { execution: { status: "completed", result: RESULT } } },
    });
    expect(await elsewhere.post(path, complete(stored, {}))).toMatchObject({
      ...{ status: 409, body: { code: "invalid_state", current_status: "completed" } },
    });
  });

  it("what it has redeemed is not granted again: it is unknown, and only a person has it done again", async () => {
    const { ctx, agent, person } = scene;
    const again = () => elsewhere.post(PATH, { approval_id: lostId, request: refund() });
    const refused = (status: string) => ({ code: "already_executed", current_status: status });
    expect((await again()).body).toMatchObject(refused("started"));
    await sweepLater();
    const { body } = await again();
    expect(body).toMatchObject(refused("unknown"));
    const id: string = body.execution_id;
    const { fence: old } = await ctx.db.execution.findFirstOrThrow({ where: { id } });
    const lost = { id, fence: Number(old) };
    await expect(completeExecution(agent, lost)).rejects.toMatchObject({ code: "invalid_state" });
    await expect(resolveExecution(agent, { id, outcome: "retried", reason: "x" })).rejects.toMatchObject({
      code: "forbidden",
    });
    const { retry } = await resolveExecution(await person(), { id, outcome: "retried", reason: "Not done." });
    const second = { id: retry?.id ?? "", fence: Number(retry?.fence) };
    expect(second.fence).toBeGreaterThan(lost.fence);
    for (const stale of [lost, { ...second, fence: lost.fence }]) {
      for (const call of [completeExecution, heartbeatExecution]) {
        const code = stale === lost ? "invalid_state" : "lease_lost";
        await expect(call(agent, stale)).rejects.toMatchObject({ code });
      }
    }
    expect((await completeExecution(agent, second)).status).toBe("completed");
    expect((await again()).body.code).toBe("already_executed");
    expect(await ctx.db.execution.count({ where: { approvalId: lostId } })).toBe(2);
  });

  it("a report that never arrived is late once the lease is over", async () => {
    await sweepLater();
    expect(await elsewhere.post(`${PATH}/${unsent.id}/complete`, complete(unsent))).toMatchObject({
      ...{ status: 409, body: { current_status: "unknown" } },
    });
    const resolved = await resolveExecution(await scene.person(), {
      ...{ id: unsent.id, outcome: "completed", reason: "The bank has it." },
    });
    expect(resolved).toMatchObject({ execution: { status: "completed" }, retry: null });
  });
});
