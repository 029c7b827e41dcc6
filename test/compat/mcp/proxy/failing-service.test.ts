import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPolicy } from "../../../../src/domain/policies/create-policy.ts";
import { type McpUpstream, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import { type OwnPostgres, startOwnPostgres } from "../../../support/own-postgres.ts";
import { type ProxyScene, createProxyScene } from "../../../support/proxy-scene.ts";
import { startOn } from "../../../support/server.ts";
import { createTestClient } from "../../../support/test-client.ts";
import { type TestWorld, createWorldOn } from "../../../support/test-world.ts";

const ENVIRONMENT = {
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  OUTBOUND_ALLOW: "127.0.0.0/8",
};
const REFUND = { name: "refund", arguments: { amount: 5 } };

let postgres: OwnPostgres;
let world: TestWorld;
let scene: ProxyScene;
let upstream: McpUpstream;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  world = await createWorldOn(await startOn(postgres, ENVIRONMENT));
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createProxyScene(world);
  upstream = await startMcpUpstream();
  await scene.register("crm", upstream.url);
});

function countCalls(): number {
  return upstream.list("tools/call").length;
}

describe("a call through the proxy reaches nobody", () => {
  it("if the condition of a policy that denies can't be evaluated", async () => {
    const resources = [{ type: "tool", name: "crm.refund" }];
    const rule = { name: "by reason", actions: ["tools/call"], resources, effect: "deny" as const };
    await createPolicy(scene.ctx, { ...rule, when: "args.reason.startsWith('test')" });
    const denied = await scene.call("crm", REFUND);
    expect(denied).toMatchObject({
      isError: true,
      _meta: { "agent-ops/decision": { reason: "policy_error" } },
    });
    expect(countCalls()).toBe(0);
    const allowed = { name: "refund", arguments: { amount: 5, reason: "broken" } };
    expect((await scene.call("crm", allowed)).isError).toBeUndefined();
    expect(countCalls()).toBe(1);
  });

  it("from a node whose key doesn't open the server's credential", async () => {
    const other = await startOn(postgres, {
      ...ENVIRONMENT,
      SECRETS_KEY: Buffer.alloc(32, 8).toString("base64"),
    });
    try {
      const client = createTestClient(other.url, scene.token);
      const { body } = await scene.clientOf("crm", "modern", { client }).send("tools/call", REFUND);
      expect(body.error).toMatchObject({ code: -32603, message: expect.stringContaining("credential") });
      expect(countCalls()).toBe(0);
      expect(await scene.listCalls()).toMatchObject([{ status: "failed" }]);
    } finally {
      await other.stop();
    }
    expect((await scene.call("crm", REFUND)).isError).toBeUndefined();
  });

  it("while PostgreSQL is away", async () => {
    await postgres.kill();
    const { status, body } = await scene.clientOf("crm").trySend("tools/call", REFUND);
    expect([status, body?.error?.code ?? body?.code]).toEqual([503, expect.anything()]);
    expect(countCalls()).toBe(0);
    await postgres.restart();
    await expect.poll(async () => (await fetch(`${world.server.url}/readyz`)).status).toBe(200);
    expect((await scene.call("crm", REFUND)).isError).toBeUndefined();
    expect(countCalls()).toBe(1);
  });
});
