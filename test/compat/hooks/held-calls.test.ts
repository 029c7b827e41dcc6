import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/hooks/pre-tool-use?timeout=600";

let world: TestWorld;
let scene: HookScene;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createHookScene(world);
  second = await startOn(world.server.database);
});

/** The calls that a node holds. */
function countHeld({ services }: TestServer): number {
  return [...services.live.connections.all()].filter(({ id }) => id.startsWith("held calls")).length;
}

describe("held calls", () => {
  it("are at most 100 of a credential, and end with a denial when the server stops", async () => {
    const client = createTestClient(second.url, scene.token);
    const most = LIMITS.heldPerCredential;
    const calls = Array.from({ length: most }, (_, at) =>
      client.post(PATH, toolUse("mcp__stripe__refund", { amount: 900 }, `t-${at}`)),
    );
    await vi.waitFor(() => expect(countHeld(second)).toBe(most), PATIENCE);
    const refused = await client.post(PATH, toolUse("mcp__stripe__refund", { amount: 900 }, "t-more"));
    expect(decisionOf(refused)).toEqual({
      decision: "deny",
      reason: "Agent Ops: At most 100 requests of a credential can wait at once. Try again later.",
    });
    // Polls are counted apart.
    const poll = await client.get("/api/v1/events?wait=0");
    expect(poll.status).toBe(200);
    const stopped = second.stop();
    for (const answer of await Promise.all(calls)) {
      expect(decisionOf(answer)).toEqual({
        decision: "deny",
        reason: expect.stringContaining("waits for a person"),
      });
    }
    await stopped;
  }, 60_000);

  it("end with a denial when their credential is revoked", async () => {
    const client = createTestClient(second.url, scene.token);
    const call = client.post(PATH, toolUse("mcp__stripe__refund", { amount: 900 }));
    await vi.waitFor(() => expect(countHeld(second)).toBe(1), PATIENCE);
    const { body } = await scene.agent.get("/api/v1/whoami");
    await scene.agent.delete(`/api/v1/agent_tokens/${body.credential.id}`);
    expect(decisionOf(await call)).toEqual({
      decision: "deny",
      reason: "Agent Ops: The credential is no longer valid.",
    });
    await second.stop();
  });
});
