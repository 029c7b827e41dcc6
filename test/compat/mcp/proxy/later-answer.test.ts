import { expect, it } from "vitest";
import { grantApproval } from "../../../../src/domain/approvals/grant-approval.ts";
import { createPolicy } from "../../../../src/domain/policies/create-policy.ts";
import { startMcpUpstream } from "../../../support/mcp-upstream.ts";
import { openSessionCtx } from "../../../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../../../support/people.ts";
import { createProxyScene, createProxyWorld } from "../../../support/proxy-scene.ts";
import { startOn } from "../../../support/server.ts";
import { createTestClient } from "../../../support/test-client.ts";

const HOUR_SECONDS = 3600;
const LARGE = { name: "refund", arguments: { amount: 900 } };

it("a call that a person approves two hours later, after a restart, is made once when its agent asks again", async () => {
  const world = await createProxyWorld();
  const scene = await createProxyScene(world);
  const upstream = await startMcpUpstream();
  await scene.register("bank", upstream.url, { holdSeconds: 0 });
  await createPolicy(scene.ctx, {
    ...{ name: "slow people", effect: "ask", actions: ["tools/call"] },
    resources: [{ type: "tool", name: "bank.*" }],
    approval: { ttlSeconds: 4 * HOUR_SECONDS },
  });
  const operator = await createPerson(world.server, scene.ctx.workspaceId, { role: "operator" });
  const session = await beginTestSession(world.server, operator);
  expect((await scene.call("bank", LARGE)).content[0]?.text).toContain("Waiting for approval");
  const { id } = await scene.waitForApproval();
  await world.server.stop();
  const environment = {
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    OUTBOUND_ALLOW: "127.0.0.0/8",
  };
  const later = await startOn(world.server.database, environment, new Date(Date.now() + 2000 * HOUR_SECONDS));
  try {
    const client = createTestClient(later.url, scene.token);
    expect((await scene.call("bank", LARGE, { client }))._meta).toMatchObject({
      "agent-ops/decision": { approval_id: id },
    });
    await grantApproval(await openSessionCtx(later, session), { id });
    expect((await scene.call("bank", LARGE, { client })).content[0]?.text).toBe('did {"amount":900}');
    expect((await scene.call("bank", LARGE, { client })).isError).toBe(true);
    expect(upstream.list("tools/call")).toHaveLength(1);
  } finally {
    await later.close();
  }
});
