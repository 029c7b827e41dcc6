import { expect, it, vi } from "vitest";
import { sweepExecutions } from "../../../../src/domain/executions/sweep-executions.ts";
import { eventsOf } from "../../../support/mcp.ts";
import { startMcpUpstream } from "../../../support/mcp-upstream.ts";
import { startNode } from "../../../support/node-process.ts";
import { PATIENCE } from "../../../support/patience.ts";
import { createProxyScene, createProxyWorld } from "../../../support/proxy-scene.ts";
import { createTestClient } from "../../../support/test-client.ts";

it("a call whose node is killed before the answer is unknown once its lease is over, and never made again", async () => {
  const world = await createProxyWorld();
  const node = await startNode(world.server.database.url, {
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    OUTBOUND_ALLOW: "127.0.0.0/8",
  });
  try {
    const scene = await createProxyScene(world);
    const upstream = await startMcpUpstream({ onCall: () => new Promise<null>(() => {}) });
    await scene.register("crm", upstream.url);
    const onNode = createTestClient(node.url, scene.token);
    const params = { name: "refund", arguments: {}, _meta: { "agent-ops/idempotency-key": "once" } };
    const lost = scene.clientOf("crm", "modern", { client: onNode }).trySend("tools/call", params);
    const failed = expect(lost).rejects.toThrow();
    await vi.waitFor(() => expect(upstream.list("tools/call")).toHaveLength(1), PATIENCE);
    await node.kill();
    await failed;
    expect(await scene.listCalls()).toMatchObject([{ status: "started" }]);
    await sweepExecutions(world.server.services, new Date(Date.now() + 700_000));
    expect(await scene.listCalls()).toMatchObject([{ status: "unknown" }]);
    const { text, body } = await scene.clientOf("crm").send("tools/call", params);
    expect((body ?? eventsOf(text).at(-1)).result.content[0].text).toContain("It is unknown.");
    expect(upstream.list("tools/call")).toHaveLength(1);
  } finally {
    await node.kill();
    await world.server.close();
  }
}, 180_000);
