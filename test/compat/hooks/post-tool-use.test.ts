import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { type TestAnswer, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/post-tool-use";

let world: TestWorld;
let scene: HookScene;
let ctx: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createHookScene(world);
  ({ ctx } = scene);
});

const ENDED = { session_id: "s-1", tool_use_id: "t-1", tool_name: "mcp__stripe__refund" };

/** Has a person approve a use of the tool. */
async function start(): Promise<void> {
  const call = toolUse("mcp__stripe__refund", { amount: 900 });
  const held = scene.agent.post("/hooks/pre-tool-use?timeout=120", call);
  const { id } = await scene.waitForApproval();
  await grantApproval(await scene.person(), { id });
  expect(decisionOf(await held).decision).toBe("allow");
}

function expectNothing({ status, body, headers }: TestAnswer): void {
  expect({ status, body, decision: headers.get("agent-ops-decision") }).toEqual({
    ...{ status: 200, body: {}, decision: "none" },
  });
}

describe("POST /hooks/post-tool-use", () => {
  it("completes the execution, without what the tool returned", async () => {
    await start();
    const body = { ...ENDED, hook_event_name: "PostToolUse", tool_response: { id: "secret" } };
    expectNothing(await scene.agent.post(PATH, body));
    const [execution] = await ctx.db.execution.findMany();
    expect(execution).toMatchObject({ status: "completed", result: null, error: null });
    // The same call can't run once more.
    const again = await scene.agent.post(
      "/hooks/pre-tool-use?timeout=3",
      toolUse("mcp__stripe__refund", { amount: 900 }),
    );
    expect(decisionOf(again)).toMatchObject({
      ...{ decision: "deny", reason: expect.stringMatching(/was executed, and has ended/) },
    });
  });

  it.each([
    ["no funds", "no funds"],
    ["x".repeat(3000), "x".repeat(2000)],
    ["\0", "The tool failed."],
    [undefined, "The tool failed."],
  ])("fails the execution", async (...[error, message]) => {
    await start();
    expectNothing(await scene.agent.post(PATH, { ...ENDED, hook_event_name: "PostToolUseFailure", error }));
    expect(await ctx.db.execution.findMany()).toMatchObject([
      { status: "failed", effect: "partial", error: { code: "failed", message } },
    ]);
  });

  it("does nothing about a use that is not its agent's, or that nobody had to approve", async () => {
    await start();
    const body = { ...ENDED, hook_event_name: "PostToolUse" };
    expectNothing(await scene.agent.post(PATH, { ...body, tool_use_id: "t-2" }));
    expectNothing(await scene.agent.post(PATH, { ...body, tool_use_id: undefined }));
    expectNothing(await (await createHookScene(world)).agent.post(PATH, body));
    expect(await ctx.db.execution.findMany()).toMatchObject([{ status: "started" }]);
  });

  it("answers nothing to what it can't record", async () => {
    const { url } = world.server;
    for (const answer of [
      await createTestClient(url).post(PATH, { ...ENDED, hook_event_name: "PostToolUse" }),
      await scene.agent.post(PATH, { ...ENDED, hook_event_name: "PreToolUse" }),
      await scene.agent.send(PATH, { method: "POST", body: "{" }),
      await scene.agent.get(PATH),
    ]) {
      expectNothing(answer);
    }
  });
});
