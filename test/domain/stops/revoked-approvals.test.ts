import { afterAll, beforeAll, expect, it } from "vitest";
import { readApproval } from "../../../src/domain/approvals/read-approval.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseStop } from "../../../src/domain/stops/release-stop.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { refund } from "../../support/gateway-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const requestText = JSON.stringify(refund());

it("a stop revokes what people approved for its agents and was not used, for good", async () => {
  const { agent, approved, person } = await createApprovalScene(world, { uses: 2 });
  const id = await approved();
  const before = await redeemApproval(agent, { approvalId: id, requestText });
  const { generation } = await readApproval(agent, { id });
  const { stop } = await emergencyStop(await person(), { reason: "smoke", scope: { kind: "software" } });
  await releaseStop(await person("admin"), { id: stop.id, reason: "over" });
  expect(before.status).toBe("started");
  await expect(redeemApproval(agent, { approvalId: id, requestText })).rejects.toMatchObject({
    code: "approval_expired",
  });
  expect(await readApproval(agent, { id })).toMatchObject({
    ...{ status: "approved", revokedAt: expect.any(Date), revokedReason: "smoke" },
    ...{ revokedBy: expect.objectContaining({ type: "user" }), generation: generation + 1 },
  });
  expect((await readEventTypes(world.server, id)).at(-1)).toBe("approval.revoked");
});

it("a stop leaves what was approved for other agents", async () => {
  const { agent, approved, person } = await createApprovalScene(world);
  const id = await approved();
  await emergencyStop(await person(), { reason: "smoke", scope: { kind: "robot" } });
  expect(await redeemApproval(agent, { approvalId: id, requestText })).toMatchObject({ status: "started" });
});
