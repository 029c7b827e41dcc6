import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookScene, createHookScene, toolUse } from "../../support/hook-scene.ts";
import { runHook } from "../../support/run-hook.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: HookScene;

beforeAll(async () => {
  world = await createWorld();
  scene = await createHookScene(world);
});

afterAll(() => world.server.close());

function run(stdin: object, token = scene.token) {
  return runHook(stdin, { url: world.server.url, token });
}

describe("agent-ops-hook with a server", () => {
  it("lets a tool run that is allowed, in both dialects", async () => {
    const allowed = await run(toolUse("mcp__crm__search"));
    expect(allowed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(allowed.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
    const strict = await run({ ...toolUse("mcp__crm__search"), turn_id: "1" });
    expect(strict).toEqual({ exitCode: 0, stdout: "{}", stderr: "" });
  });

  it("blocks a tool that is denied, waits for people, or is asked about with a bad token", async () => {
    for (const [stdin, token, reason] of [
      [toolUse("Bash"), scene.token, /no policy allows it/],
      [toolUse("mcp__stripe__refund", { amount: 900 }), scene.token, /waits for a person/],
      [toolUse("mcp__crm__search"), "agt_nothing", /token/],
    ] as const) {
      expect(await run(stdin, token)).toEqual({
        ...{ exitCode: 2, stdout: "", stderr: expect.stringMatching(reason) },
      });
    }
  });

  it("reports how a tool ended", async () => {
    const ended = { hook_event_name: "PostToolUse", session_id: "s-1", tool_use_id: "t-1" };
    expect(await run(ended)).toEqual({ exitCode: 0, stdout: "{}", stderr: "" });
  });
});
