import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../../src/domain/approvals/grant-approval.ts";
import { archiveAgent } from "../../../../src/domain/agents/archive-agent.ts";
import { emergencyStop } from "../../../../src/domain/stops/emergency-stop.ts";
import { ERAS, eventsOf } from "../../../support/mcp.ts";
import { type McpUpstream, REFUND, startMcpUpstream } from "../../../support/mcp-upstream.ts";
import {
  type ProxyScene,
  type ToolResult,
  createProxyScene,
  createProxyWorld,
} from "../../../support/proxy-scene.ts";
import { startOn } from "../../../support/server.ts";
import { createTestClient } from "../../../support/test-client.ts";
import { storeTools } from "../../../support/test-mcp-server.ts";
import type { TestWorld } from "../../../support/test-world.ts";

let world: TestWorld;
let scene: ProxyScene;
let upstream: McpUpstream;

beforeAll(async () => {
  world = await createProxyWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createProxyScene(world);
  upstream = await startMcpUpstream();
});

const LARGE = { name: "refund", arguments: { amount: 900 } };

async function register(holdSeconds: number): Promise<string> {
  return (await scene.register("stripe", upstream.url, { holdSeconds })).id;
}

async function call(params: object = LARGE, client = scene.agent): Promise<ToolResult> {
  return scene.call("stripe", params, { client });
}

function countUpstream(): number {
  return upstream.list("tools/call").length;
}

describe("a call about which policies ask", () => {
  it.each(ERAS)("is held by an event stream until people approve, then made once (%s)", async (era) => {
    upstream = await startMcpUpstream({ era });
    await register(60);
    const held = scene.clientOf("stripe", era).send("tools/call", LARGE);
    const { id } = await scene.waitForApproval();
    expect(countUpstream()).toBe(0);
    await grantApproval(await scene.person(), { id });
    const { headers, text } = await held;
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(text.startsWith(":")).toBe(true);
    expect(eventsOf(text).at(-1).result.content[0].text).toBe('did {"amount":900}');
    expect(countUpstream()).toBe(1);
    expect(await scene.ctx.db.mcpCall.findMany({ where: {} })).toMatchObject([
      { status: "completed", approvalId: id },
    ]);
  });

  it("says that it waits, joins the question, and runs once it is approved: these arguments, this agent, once", async () => {
    await register(0);
    const waiting = await call();
    const { id } = await scene.waitForApproval();
    expect(waiting).toMatchObject({
      isError: true,
      content: [
        {
          text: `Waiting for approval ${id} (${world.server.url}/approvals/${id}). Call again with the same arguments.`,
        },
      ],
      _meta: { "agent-ops/decision": { reason: "approval_required", approval_id: id } },
    });
    expect((await call())._meta).toMatchObject({ "agent-ops/decision": { approval_id: id } });
    await grantApproval(await scene.person(), { id });
    const other = await call({ ...LARGE, arguments: { amount: 901 } });
    expect(other.isError).toBe(true);
    expect(other._meta).not.toMatchObject({ "agent-ops/decision": { approval_id: id } });
    expect(countUpstream()).toBe(0);
    expect((await call()).content[0]?.text).toBe('did {"amount":900}');
    expect((await call()).isError).toBe(true);
    expect(countUpstream()).toBe(1);
  });

  it("is made once, however many wait for the same approval", async () => {
    await register(60);
    const calls = Array.from({ length: 20 }, () => call());
    const { id } = await scene.waitForApproval();
    // A call that comes after the use would ask people anew.
    await expect.poll(() => scene.ctx.db.decision.count({ where: { approvalId: id } })).toBe(calls.length);
    await grantApproval(await scene.person(), { id });
    const answers = await Promise.all(calls);
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(countUpstream()).toBe(1);
  });

  it("is denied with the person's comment", async () => {
    await register(60);
    const held = call();
    const { id } = await scene.waitForApproval();
    await denyApproval(await scene.person(), { id, comment: "Not this customer." });
    expect((await held).content[0]?.text).toMatch(
      /^Denied by a person: Not this customer\. \(decision .{36}\)\.$/,
    );
    expect(countUpstream()).toBe(0);
  });

  it("uses nothing if its client has gone away", async () => {
    await register(60);
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${scene.token}`, "content-type": "application/json" };
    const accept = { accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: LARGE });
    const url = `${world.server.url}/mcp/proxy/stripe`;
    const sent = fetch(url, {
      method: "POST",
      headers: { ...headers, ...accept },
      body,
      signal: abort.signal,
    });
    const { id } = await scene.waitForApproval();
    await sent;
    abort.abort();
    await scene.waitUntilNoneIsHeld();
    await grantApproval(await scene.person(), { id });
    expect(await scene.ctx.db.approval.findFirst({ where: { id } })).toMatchObject({ usedCount: 0 });
    expect(countUpstream()).toBe(0);
    expect((await call()).isError).toBeUndefined();
    expect(countUpstream()).toBe(1);
  });

  it("ends with a denial when an emergency stop begins, or its agent is archived", async () => {
    await register(60);
    const stopped = call();
    await scene.waitForApproval();
    await emergencyStop(scene.ctx, { reason: "Smoke" });
    expect((await stopped).content[0]?.text).toMatch(/^Denied by emergency stop/);
    expect((await call()).isError).toBe(true);
    const other = await createProxyScene(world);
    await other.register("stripe", upstream.url, { holdSeconds: 60 });
    const archived = other.clientOf("stripe").send("tools/call", LARGE);
    await other.waitForApproval();
    await archiveAgent(other.ctx, other.agentId);
    const { body, text } = await archived;
    const message = body ?? eventsOf(text).at(-1);
    expect(message.error ?? message.result).toMatchObject(
      message.error ? { code: -32600 } : { isError: true },
    );
    expect(countUpstream()).toBe(0);
  });

  it("ends with an error when its credential is revoked", async () => {
    await register(60);
    const held = scene.clientOf("stripe").send("tools/call", LARGE);
    await scene.waitForApproval();
    const { body } = await scene.agent.get("/api/v1/whoami");
    await scene.agent.delete(`/api/v1/agent_tokens/${body.credential.id}`);
    const answer = eventsOf((await held).text).at(-1);
    expect(answer.error.message).toBe("The credential is no longer valid.");
    expect(countUpstream()).toBe(0);
  });

  it("is not made by a definition that was not approved when people were asked", async () => {
    const serverId = await register(0);
    await call();
    const { id } = await scene.waitForApproval();
    await grantApproval(await scene.person(), { id });
    await storeTools(scene.ctx, serverId, [{ ...REFUND, description: "Pays twice." }]);
    expect((await call()).content[0]?.text).toContain("No admin has approved");
    await scene.approveAll(serverId);
    const again = await call();
    expect(again.isError).toBe(true);
    expect(again._meta).not.toMatchObject({ "agent-ops/decision": { approval_id: id } });
    expect(countUpstream()).toBe(0);
  });

  it("that is asked on one node is made on another", async () => {
    await register(0);
    const second = await startOn(world.server.database, {
      SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      OUTBOUND_ALLOW: "127.0.0.0/8",
    });
    try {
      await call();
      const { id } = await scene.waitForApproval();
      await grantApproval(await scene.person(), { id });
      const onSecond = createTestClient(second.url, scene.token);
      expect((await call(LARGE, onSecond)).content[0]?.text).toBe('did {"amount":900}');
      expect((await call()).isError).toBe(true);
      expect(countUpstream()).toBe(1);
    } finally {
      await second.stop();
    }
  });
});
