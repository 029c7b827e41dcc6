import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/pre-tool-use";
const CALL = toolUse("mcp__crm__search", { q: "Ada" });

let world: TestWorld;
let scene: HookScene;
let proxy: DatabaseProxy;
/** A node with a small rate limit, and a database that can go away. */
let node: TestServer;
let client: TestClient;

beforeAll(async () => {
  world = await createWorld();
  scene = await createHookScene(world);
  proxy = await openDatabaseProxy(world.server.database.url);
  node = await startOn({ ...world.server.database, url: proxy.url }, { RATE_LIMIT: "2" });
  client = createTestClient(node.url, scene.token);
});

afterAll(async () => {
  proxy.mend();
  await node.stop();
  await proxy.close();
  await world.server.close();
});

async function decide(count: number): Promise<{ decision: string; reason: string }[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => client.post(PATH, CALL)));
  return answers.map(decisionOf);
}

describe("a call that a node can't decide is 200 and denied", () => {
  it("while its database is away, and is decided again once it is back", async () => {
    proxy.cut();
    const [away] = await decide(1);
    expect(away).toEqual({ decision: "deny", reason: expect.not.stringMatching(/too many/i) });
    proxy.mend();
    await expect.poll(async () => (await decide(1))[0]?.decision, { interval: 1000 }).toBe("allow");
  });

  it("for a credential that sends too much", async () => {
    const decisions = await decide(20);
    const denied = decisions.filter(({ decision }) => decision === "deny");
    expect(denied.length).toBeGreaterThan(0);
    expect(denied.length).toBeLessThan(20);
    for (const { reason } of denied) expect(reason).toMatch(/too many/i);
  });
});
