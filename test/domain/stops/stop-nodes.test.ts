import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { CHECK_PATH, refund } from "../../support/gateway-scene.ts";
import { type HookScene, createHookScene, decisionOf, toolUse } from "../../support/hook-scene.ts";
import { type NodeProcess, startNode } from "../../support/node-process.ts";
import { isBusMissed, restoreBus, silenceBus } from "../../support/quiet-bus.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const HOOK_PATH = "/hooks/pre-tool-use?timeout=120";
const CALLERS = 6;
/** Calls of each caller before the stop, and after it was answered. */
const ROUNDS = 5;

let world: TestWorld;
let proxy: DatabaseProxy;
let there: NodeProcess;
let scene: HookScene;
let clients: TestClient[];

beforeAll(async () => {
  world = await createWorld();
  proxy = await openDatabaseProxy(world.server.database.url);
  there = await startNode(proxy.url);
});

afterAll(async () => {
  await there.stop();
  await proxy.close();
  await world.server.close();
});

beforeEach(async () => {
  scene = await createHookScene(world);
  clients = [world.server, there].map(({ url }) => createTestClient(url, scene.token));
});

const ALLOWED = refund({}, { resource: { type: "tool", id: "crm.search" } });

function check(client: TestClient): Promise<TestAnswer> {
  return client.post(CHECK_PATH, { request: ALLOWED });
}

/** Checks without a pause on every node, and stops all agents meanwhile. @returns what was answered to checks that began after the stop's answer, by node. */
async function stopAmidChecks(): Promise<string[][]> {
  let hasAnswered = false;
  let allowed = 0;
  let warm = () => {};
  const isWarm = new Promise<void>((resolve) => {
    warm = resolve;
  });
  async function callOn(client: TestClient): Promise<string[]> {
    const late: string[] = [];
    while (late.length < ROUNDS) {
      const isLate = hasAnswered;
      const { status, body } = await check(client);
      const answer = status === 200 ? `${body.check.status} ${body.check.reason}` : String(status);
      if (isLate) late.push(answer);
      else if (answer.startsWith("allowed") && ++allowed === ROUNDS * CALLERS) warm();
    }
    return late;
  }
  const calls = clients.map((client) => Promise.all(Array.from({ length: CALLERS }, () => callOn(client))));
  await isWarm;
  await emergencyStop(scene.ctx, { reason: "fire" });
  hasAnswered = true;
  return (await Promise.all(calls)).map((late) => late.flat());
}

/** Holds a call on the other node. */
async function hold(): Promise<Promise<TestAnswer>[]> {
  const [, client] = clients;
  const held = client?.post(HOOK_PATH, toolUse("mcp__stripe__refund", { amount: 900 }));
  await scene.waitForApproval();
  return held === undefined ? [] : [held];
}

const DENIED = Array.from({ length: ROUNDS * CALLERS }, () => "denied emergency_stop");

describe.each(["with", "without"])("a stop, %s notifications", (how) => {
  beforeAll(async () => {
    if (how === "without") await silenceBus(world.server.database);
  });

  afterAll(async () => {
    if (how === "without") await restoreBus(world.server.database);
  });

  it("lets no check be allowed on any node that begins after its answer", async () => {
    expect(await stopAmidChecks()).toEqual([DENIED, DENIED]);
    if (how === "without") expect(isBusMissed(world.server)).toBe(true);
  });

  it("ends a call that another node holds", async () => {
    const [held] = await hold();
    const started = performance.now();
    await emergencyStop(scene.ctx, { reason: "fire" });
    expect(decisionOf(await held)).toEqual({
      decision: "deny",
      reason: expect.stringMatching(/emergency stop|cancel/),
    });
    // Notifications and the poll take less than a second. Looking at the database by itself would take ten.
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await scene.ctx.db.execution.count()).toBe(0);
  });
});

describe("a node that hears of no stop", () => {
  // The next test, and a second attempt of this one, begin with a node that hears.
  afterEach(async () => {
    proxy.mend();
    await expect.poll(async () => (await fetch(`${there.url}/readyz`)).status).toBe(200);
  });

  it("allows nothing all the same, and ends what it holds", async () => {
    const [held] = await hold();
    const [, client = scene.agent] = clients;
    expect((await check(client)).body.check.status).toBe("allowed");
    proxy.stall("agent-ops-live");
    await emergencyStop(scene.ctx, { reason: "fire" });
    expect((await check(client)).body.check).toMatchObject({ status: "denied", reason: "emergency_stop" });
    expect(decisionOf(await held).decision).toBe("deny");
    await vi.waitFor(async () => expect((await fetch(`${there.url}/readyz`)).status).toBe(503), {
      timeout: 15_000,
    });
    expect((await check(client)).body.check?.status).not.toBe("allowed");
    expect(decisionOf(await client.post(HOOK_PATH, toolUse("mcp__crm__search"))).decision).toBe("deny");
  });
});
