import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { grantApproval } from "../../../../src/domain/approvals/grant-approval.ts";
import { openCtx, systemCaller } from "../../../../src/domain/kernel/context.ts";
import { readMcpToolTraffic } from "../../../../src/domain/mcp/read-mcp-tool-traffic.ts";
import { readMcpTraffic } from "../../../../src/domain/mcp/read-mcp-traffic.ts";
import { createPolicy } from "../../../../src/domain/policies/create-policy.ts";
import { REFUND, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import { type ProxyScene, createProxyScene, createProxyWorld } from "../../../support/proxy-scene.ts";
import { findTool } from "../../../support/test-mcp-server.ts";
import type { TestWorld } from "../../../support/test-world.ts";

let world: TestWorld;
let scene: ProxyScene;

beforeAll(async () => {
  world = await createProxyWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createProxyScene(world);
});

it("says of each server how many calls were made, denied and wait, and how long they took", async () => {
  const upstream = await startMcpUpstream();
  const [crm, stripe] = [
    await scene.register("crm", upstream.url),
    await scene.register("stripe", upstream.url, { holdSeconds: 0 }),
  ];
  const resources = [{ type: "tool", name: "crm.*" }];
  const rule = { name: "large", actions: ["tools/call"], resources, effect: "deny" as const };
  await createPolicy(scene.ctx, { ...rule, when: "has(args.amount) && args.amount > 500" });
  async function read(): Promise<unknown[]> {
    const traffic = await readMcpTraffic(scene.ctx, [crm.id, stripe.id]);
    return [traffic.get(crm.id), traffic.get(stripe.id)];
  }
  const none = { calls: 0, denials: 0, held: 0, p95Ms: null };
  expect(await read()).toEqual([none, none]);
  for (const amount of [5, 6, 900]) {
    await scene.call("crm", { name: "refund", arguments: { amount } });
  }
  await scene.call("stripe", { name: "refund", arguments: { amount: 900 } });
  await expect.poll(read).toEqual([
    { calls: 2, denials: 1, held: 0, p95Ms: expect.any(Number) },
    { ...none, held: 1 },
  ]);
  const { id } = await scene.waitForApproval();
  await grantApproval(await scene.person(), { id });
  expect(await read()).toMatchObject([{ calls: 2 }, none]);
});

it("leaves out what happened more than a day ago", async () => {
  const upstream = await startMcpUpstream();
  const { id } = await scene.register("crm", upstream.url);
  await scene.call("crm", { name: "refund", arguments: {} });
  const caller = systemCaller(scene.ctx.workspaceId, "test");
  const tomorrow = openCtx(world.server.services, caller, new Date(Date.now() + 25 * 3_600_000));
  expect((await readMcpTraffic(scene.ctx, [id])).get(id)).toMatchObject({ calls: 1 });
  expect((await readMcpTraffic(tomorrow, [id])).get(id)).toMatchObject({ calls: 0, p95Ms: null });
});

it("says of each tool how often it was called and denied, and nothing of another workspace's tools", async () => {
  const tools = [REFUND, { ...REFUND, name: "search" }];
  const [first, second] = [await startMcpUpstream({ tools }), await startMcpUpstream()];
  const crm = await scene.register("crm", first.url);
  await scene.register("stripe", second.url);
  const resources = [{ type: "tool", name: "crm.refund" }];
  const rule = { name: "large", actions: ["tools/call"], resources, effect: "deny" as const };
  await createPolicy(scene.ctx, { ...rule, when: "has(args.amount) && args.amount > 500" });
  for (const amount of [5, 6, 900]) {
    await scene.call("crm", { name: "refund", arguments: { amount } });
  }
  await scene.call("stripe", { name: "refund", arguments: { amount: 5 } });
  const [refund, search] = [
    await findTool(scene.ctx, crm.id, "refund"),
    await findTool(scene.ctx, crm.id, "search"),
  ];
  const read = async (ctx = scene.ctx) => readMcpToolTraffic(ctx, [refund.id, search.id]);
  await expect.poll(read).toEqual(
    new Map([
      [refund.id, { calls: 2, denials: 1 }],
      [search.id, { calls: 0, denials: 0 }],
    ]),
  );
  const other = await createProxyScene(world);
  expect(await read(other.ctx)).toEqual(new Map());
});
