import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { type HookScene, createHookScene } from "../../support/hook-scene.ts";
import { ERAS, createMcpClient } from "../../support/mcp.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const SEARCH = { resource: { type: "tool", id: "crm.search" }, arguments: { q: "Ada" } };
const REFUND = { resource: { type: "tool", id: "stripe.refund" }, arguments: { amount: 900 } };

let world: TestWorld;
let scene: HookScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createHookScene(world);
});

describe.each(ERAS)("the tools of the gateway in the %s era", (era) => {
  it("say what policies allow and deny, by the logged decision", async () => {
    const mcp = createMcpClient(scene.agent, era);
    const allowed = await mcp.call("permission_check", SEARCH);
    expect(allowed).toEqual({
      ...{ decision: "allowed", reason: "policy_allow", comment: null, evaluation_id: expect.any(String) },
      ...{ approval_possible: false, execution_id: null },
    });
    expect(await scene.lastDecisionId()).toBe(allowed.evaluation_id);
    const denied = await mcp.call("permission_check", {
      resource: { type: "tool", id: "shell.run" },
      arguments: {},
    });
    expect(denied).toMatchObject({ decision: "denied", reason: "default_deny", approval_possible: false });
  });

  it("ask people, whose approval is used once, for the same arguments", async () => {
    const mcp = createMcpClient(scene.agent, era);
    const denied = await mcp.call("permission_check", REFUND);
    expect(denied).toMatchObject({
      decision: "denied",
      reason: "approval_required",
      approval_possible: true,
    });
    const asked = { evaluation_id: denied.evaluation_id, ...REFUND };
    const requested = await mcp.call("request_approval", asked);
    expect(requested).toEqual({
      ...{ approval_id: expect.any(String), status: "pending", approved_until: null, comment: null },
      url: `${world.server.url}/approvals/${requested.approval_id}`,
    });
    expect(await mcp.call("request_approval", asked)).toEqual(requested);
    const { approval_id: id } = requested;
    const waiting = mcp.call("approval_status", { approval_id: id, wait_s: 50 });
    await grantApproval(await scene.person(), { id });
    expect(await waiting).toMatchObject({ status: "approved", approved_until: expect.any(String) });
    const other = { ...REFUND, arguments: { amount: 901 }, approval_id: id };
    expect(await mcp.call("permission_check", other)).toMatchObject({
      decision: "denied",
      reason: "out_of_scope",
    });
    const used = await mcp.call("permission_check", { ...REFUND, approval_id: id });
    expect(used).toMatchObject({
      decision: "allowed",
      reason: "approval_granted",
      execution_id: expect.any(String),
    });
    expect(await mcp.call("permission_check", { ...REFUND, approval_id: id })).toMatchObject({
      decision: "denied",
    });
  });

  it("tell why a person said no", async () => {
    const mcp = createMcpClient(scene.agent, era);
    const { evaluation_id } = await mcp.call("permission_check", REFUND);
    const waiting = mcp.call("request_approval", { evaluation_id, ...REFUND, wait_s: 50 });
    const { id } = await scene.waitForApproval();
    await denyApproval(await scene.person(), { id, comment: "Too much" });
    expect(await waiting).toMatchObject({ approval_id: id, status: "denied", comment: "Too much" });
  });

  it("ask nobody about another request, or what was not denied so", async () => {
    const mcp = createMcpClient(scene.agent, era);
    const { evaluation_id } = await mcp.call("permission_check", REFUND);
    const other = { evaluation_id, ...REFUND, arguments: { amount: 901 } };
    expect(await mcp.fail("request_approval", other)).toMatchObject({ code: "invalid_denial_binding" });
    const allowed = await mcp.call("permission_check", {
      resource: { type: "tool", id: "x.y" },
      arguments: {},
    });
    const asked = {
      evaluation_id: allowed.evaluation_id,
      resource: { type: "tool", id: "x.y" },
      arguments: {},
    };
    expect(await mcp.fail("request_approval", asked)).toMatchObject({ code: "not_requestable" });
  });

  it("show an approval to its agent alone, and need their scope", async () => {
    const mcp = createMcpClient(scene.agent, era);
    const { evaluation_id } = await mcp.call("permission_check", REFUND);
    const { approval_id } = await mcp.call("request_approval", { evaluation_id, ...REFUND });
    const key = await scene.ctx.db.agent.findFirstOrThrow({ where: { handle: "primary" } });
    expect(key.id).not.toBe(scene.agentId);
    const reader = createMcpClient(await scene.agentWith("gateway:read"), era);
    expect(await reader.fail("approval_status", { approval_id })).toMatchObject({
      code: "insufficient_scope",
    });
    expect(await reader.fail("permission_check", REFUND)).toMatchObject({ code: "insufficient_scope" });
    const stranger = createMcpClient(world.agent, era);
    expect(await stranger.fail("approval_status", { approval_id })).toMatchObject({ code: "not_found" });
  });

  it("reject what the gateway can't read", async () => {
    const mcp = createMcpClient(scene.agent, era);
    expect(await mcp.fail("permission_check", {})).toMatchObject({ field: "resource" });
    expect(await mcp.fail("permission_check", { ...SEARCH, task_id: "x" })).toMatchObject({
      field: "task_id",
    });
    const wrong = { resource: { type: "no type", id: "x" } };
    expect(await mcp.fail("permission_check", wrong)).toMatchObject({ field: "request.resource.type" });
  });
});

describe.each(ERAS)("eval_report in the %s era", (era) => {
  it("reports a run in several calls, with its verdict", async () => {
    const mcp = createMcpClient(world.agent, era);
    const results = [{ item_key: "a", status: "passed", scores: [{ name: "f1", value: 0.9 }] }];
    const first = await mcp.call("eval_report", { suite: "refunds", name: "nightly", results });
    expect(first).toEqual({
      ...{ run_id: expect.any(String), accepted: 1, updated: 0, verdict: "none", verdict_reasons: [] },
    });
    const more = [
      { item_key: "a", status: "passed" },
      { item_key: "b", status: "failed", error: "wrong account" },
    ];
    const last = await mcp.call("eval_report", { run_id: first.run_id, results: more, complete: true });
    expect(last).toMatchObject({ run_id: first.run_id, accepted: 2, updated: 1 });
    const { body } = await world.agent.get(`/api/v1/eval_runs/${first.run_id}`);
    expect(body.eval_run).toMatchObject({ status: "completed", result_counts: { passed: 1, failed: 1 } });
    expect(await mcp.fail("eval_report", { run_id: first.run_id, results })).toMatchObject({
      code: "invalid_state",
    });
  });

  it("needs a run or its suite and name, and 1 to 500 results", async () => {
    const mcp = createMcpClient(world.agent, era);
    const results = [{ item_key: "a", status: "passed" }];
    expect(await mcp.fail("eval_report", { results })).toMatchObject({ field: "suite" });
    expect(await mcp.fail("eval_report", { suite: "s", results })).toMatchObject({ field: "name" });
    const many = Array.from({ length: 501 }, (_, at) => ({ item_key: `${at}`, status: "passed" }));
    expect(await mcp.fail("eval_report", { suite: "s", name: "n", results: many })).toMatchObject({
      field: "results",
    });
  });
});
