import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { DIALECTS, type Dialect, HOOK_OUTPUTS } from "../../support/hook-schemas.ts";
import { type HookScene, createHookScene, toolUse } from "../../support/hook-scene.ts";
import { runHook } from "../../support/run-hook.ts";
import { type TestAnswer, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/pre-tool-use";

let world: TestWorld;
let scene: HookScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createHookScene(world);
});

/** Sends what a coding agent of a dialect does. */
type Post = (use: object, query?: string) => Promise<TestAnswer>;

const READ = toolUse("mcp__crm__search", { q: "Ada" });
const REFUND = toolUse("mcp__stripe__refund", { amount: 900 });

/** Lets a person answer the call that is held. */
async function answerHeld(post: Post, decide: (id: string) => Promise<unknown>): Promise<TestAnswer> {
  const held = post(REFUND, "?timeout=120");
  const { id } = await scene.waitForApproval();
  await decide(id);
  return held;
}

/** Every kind of answer, with what it decides in each dialect; null for an empty object. */
const ANSWERS: [
  name: string,
  expected: Record<Dialect, string | null>,
  act: (post: Post) => Promise<TestAnswer>,
][] = [
  ["an allowance", { common: "allow", strict: null }, (post) => post(READ)],
  ["a denial", { common: "deny", strict: "deny" }, (post) => post(toolUse("Bash", { command: "ls" }))],
  [
    "an approval",
    { common: "allow", strict: null },
    (post) => answerHeld(post, async (id) => grantApproval(await scene.person(), { id })),
  ],
  [
    "an approval of other arguments",
    { common: "allow", strict: "allow" },
    async (post) => {
      await scene.allowEdits();
      const args = { amount: 600 };
      return answerHeld(post, async (id) => grantApproval(await scene.person(), { id, arguments: args }));
    },
  ],
  [
    "a person's denial",
    { common: "deny", strict: "deny" },
    (post) => answerHeld(post, async (id) => denyApproval(await scene.person(), { id, comment: "No." })),
  ],
  ["a question without an answer", { common: "deny", strict: "deny" }, (post) => post(REFUND, "?timeout=3")],
  [
    "a question left to the user",
    { common: "ask", strict: "deny" },
    (post) => post(REFUND, "?timeout=3&on_timeout=ask"),
  ],
  ["a bad timeout", { common: "deny", strict: "deny" }, (post) => post(READ, "?timeout=x")],
  ["a use without a session", { common: "deny", strict: "deny" }, (post) => post({ ...READ, session_id: 1 })],
];

describe.each(["common", "strict"] as const)("the output for the %s dialect", (dialect) => {
  const post: Post = (use, query = "") => scene.agent.post(PATH + query, { ...use, ...DIALECTS[dialect] });

  it.each(ANSWERS)("is as its schema says: %s", async (_name, expected, act) => {
    const { status, headers, body } = await act(post);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(HOOK_OUTPUTS[dialect](body), JSON.stringify(body)).toBe(true);
    expect(body.hookSpecificOutput?.permissionDecision ?? null).toBe(expected[dialect]);
  });

  it("is as its schema says: no credential, and a bad one", async () => {
    for (const token of [undefined, "agt_nothing"]) {
      const { status, body } = await createTestClient(world.server.url, token).post(PATH, {
        ...READ,
        ...DIALECTS[dialect],
      });
      expect(status).toBe(200);
      expect(HOOK_OUTPUTS[dialect](body), JSON.stringify(body)).toBe(true);
      expect(body.hookSpecificOutput.permissionDecision).toBe("deny");
    }
  });

  it("is empty where the workspace leaves what is allowed to the coding agent", async () => {
    await updateWorkspace(scene.ctx, { hookAllow: "no_decision" });
    expect((await post(READ)).body).toEqual({});
    const { body } = await post(toolUse("Bash"));
    expect(HOOK_OUTPUTS[dialect](body), JSON.stringify(body)).toBe(true);
  });

  it("is empty after a tool, whatever is said", async () => {
    const after = { session_id: "s-1", tool_use_id: "t-1", tool_response: { ok: true } };
    for (const event of ["PostToolUse", "PostToolUseFailure", "Stop"]) {
      const said = { ...after, ...DIALECTS[dialect], hook_event_name: event };
      const { status, body } = await scene.agent.post("/hooks/post-tool-use", said);
      expect({ status, isValid: HOOK_OUTPUTS.after(body) }).toEqual({ status: 200, isValid: true });
    }
  });

  it("is what agent-ops-hook prints, or nothing and exit 2 with the reason", async () => {
    const { url } = world.server;
    const run = (use: object) => runHook({ ...use, ...DIALECTS[dialect] }, { url, token: scene.token });
    const allowed = await run(READ);
    expect({ exitCode: allowed.exitCode, stderr: allowed.stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(HOOK_OUTPUTS[dialect](JSON.parse(allowed.stdout)), allowed.stdout).toBe(true);
    const denied = await run(toolUse("Bash", { command: "ls" }));
    expect(denied).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/no policy allows it/) });
  });
});

describe("the schema of the strict dialect", () => {
  const output = (decision: object) => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecisionReason: "x", ...decision },
  });

  it.each([
    ["a question to the user", output({ permissionDecision: "ask" })],
    ["an allowance as it is", output({ permissionDecision: "allow" })],
    ["a foreign member", { ...output({ permissionDecision: "deny" }), continue: true }],
    ["no reason", { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }],
  ])("refuses %s", (_name, body) => {
    expect(HOOK_OUTPUTS.strict(body)).toBe(false);
  });
});
