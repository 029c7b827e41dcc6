import { expect, it } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { createHookScene, toolUse } from "../../support/hook-scene.ts";
import { startNode } from "../../support/node-process.ts";
import { runHook } from "../../support/run-hook.ts";
import { createWorld } from "../../support/test-world.ts";

it("a call that is held when its node is killed is blocked, and repeated on another node it joins the question", async () => {
  const world = await createWorld();
  const node = await startNode(world.server.database.url);
  try {
    const scene = await createHookScene(world);
    const call = toolUse("mcp__stripe__refund", { amount: 900 });
    const { token } = scene;
    const held = runHook(call, { url: node.url, token, timeoutSeconds: 60 });
    const { id } = await scene.waitForApproval();
    await node.kill();
    expect(await held).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/^Agent Ops: /) });
    await grantApproval(await scene.person(), { id });
    const again = await runHook(call, { url: world.server.url, token, timeoutSeconds: 60 });
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("approved by a person") });
    expect(await scene.ctx.db.approval.count()).toBe(1);
    expect(await scene.ctx.db.execution.findMany()).toMatchObject([{ approvalId: id, status: "started" }]);
  } finally {
    await node.kill();
    await world.server.close();
  }
});
