import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listToolIds } from "../../../compat/hooks/list-tool-ids.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { startOn } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/pre-tool-use";

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

describe("POST /hooks/pre-tool-use", () => {
  it("allows a name with several meanings only if each of them is allowed without a person", async () => {
    const call = toolUse("mcp__crm__eu__search", { q: "Ada" });
    const decide = async () => decisionOf(await scene.agent.post(PATH, call));
    expect(await decide()).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/also means crm__eu\.search, which is not allowed/),
    });
    const resources = [{ type: "tool", server: "crm__eu" }];
    await createPolicy(ctx, { name: "eu", effect: "allow", actions: ["tools/call"], resources });
    expect((await decide()).decision).toBe("allow");
    await createPolicy(ctx, { name: "eu asks", effect: "ask", actions: ["tools/call"], resources });
    expect((await decide()).decision).toBe("deny");
  });

  it.each([
    ["mcp__crm", "must be mcp__"],
    ["mcp__crm__", "must be mcp__"],
    ["mcp____search", "must be mcp__"],
    ["mcp__local__Bash", "can't be named local"],
    ["mcp__a__local.b__c", "have a dot"],
    [`mcp__crm${"__a".repeat(10)}`, "too many double underscores"],
  ])("denies the name %s", async (name, why) => {
    await createPolicy(ctx, { name: "all", effect: "allow", actions: ["*"] });
    expect(decisionOf(await scene.agent.post(PATH, toolUse(name)))).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining(why),
    });
  });

  it("counts each meaning of a name against the rate limit", async () => {
    const limited = await startOn(world.server.database, { RATE_LIMIT: "10" });
    const agent = createTestClient(limited.url, scene.token);
    const call = toolUse(`mcp__crm${"__a".repeat(7)}`);
    const answers = await Promise.all([agent.post(PATH, call), agent.post(PATH, call)]);
    await limited.stop();
    const reasons = answers.map((answer) => decisionOf(answer).reason);
    expect(reasons).toContainEqual(expect.stringMatching(/also means/));
    expect(reasons).toContainEqual(expect.stringMatching(/too many requests/i));
  });

  it("denies a name with any number of meanings without looking for all of them", () => {
    const started = process.cpuUsage();
    expect(() => listToolIds(`mcp__${"a__".repeat(800_000)}a`)).toThrow("too many double underscores");
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
