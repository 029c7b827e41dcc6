import { afterAll, beforeAll, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { CHECK_PATH, refund } from "../support/gateway-scene.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const PER_SECOND = 1000;
const CHECKS = 60 * PER_SECOND;
const CALLERS = 64;
/** Seconds. */
const KILLED_AFTER = [15, 30, 45];
/** What is refused, what a person would have to be asked about, and what is allowed. */
const AMOUNTS = [9000, 900, 90];

let world: TestWorld;
let nodes: NodeProcess[];

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: "0" });
  await createPolicy(world.ctx, { name: "any", effect: "allow", actions: ["*"] });
  await createPolicy(world.ctx, { name: "large", effect: "ask", actions: ["*"], when: "args.amount >= 500" });
  await createPolicy(world.ctx, {
    name: "huge",
    effect: "deny",
    actions: ["*"],
    when: "args.amount >= 5000",
  });
  nodes = [await startNode(world.server.database.url), await startNode(world.server.database.url)];
}, 120_000);

afterAll(async () => {
  for (const node of nodes) await node.stop();
  await world.server.close();
});

it("a minute of 1,000 checks a second on two nodes, one of them killed again and again, loses no refusal", async () => {
  const refused: string[] = [];
  let [sent, allowed, lost] = [0, 0, 0];
  const startedMs = performance.now();

  async function check(number: number): Promise<void> {
    const node = nodes[number % nodes.length];
    if (node === undefined) throw new Error("there is no node");
    const request = refund({ amount: AMOUNTS[number % AMOUNTS.length], number });
    const answer = await createTestClient(node.url, world.apiKey)
      .post(CHECK_PATH, { request, options: { auto_request: false } })
      .catch(() => null);
    if (answer === null) return void lost++;
    if (answer.status !== 200) throw new Error(answer.text);
    const { id, status } = answer.body.check;
    if (status === "allowed") allowed++;
    else refused.push(id);
  }

  /** Checks as long as there are some to do. The callers together are paced, and never more than one check each waits. */
  async function call(): Promise<void> {
    while (sent < CHECKS) {
      const number = sent++;
      const leftMs = startedMs + (number / PER_SECOND) * 1000 - performance.now();
      if (leftMs > 0) await waitFor(leftMs);
      await check(number);
    }
  }

  async function killNodes(): Promise<void> {
    for (const seconds of KILLED_AFTER) {
      await waitFor(startedMs + seconds * 1000 - performance.now());
      await replaceNode();
    }
  }

  await Promise.all([killNodes(), ...Array.from({ length: CALLERS }, call)]);
  expect(await countStored(refused)).toBe(refused.length);
  expect(refused.length + allowed + lost).toBe(CHECKS);
  // Those that a killed node had not answered.
  expect(lost).toBeLessThanOrEqual(KILLED_AFTER.length * CALLERS);
});

/** Paces the load; nothing else is awaited by it. */
function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function replaceNode(): Promise<void> {
  const [killed, ...others] = nodes;
  nodes = others;
  await killed?.kill();
  nodes = [...others, await startNode(world.server.database.url)];
}

async function countStored(ids: readonly string[]): Promise<number> {
  const [row] = await world.server.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
    [ids],
  );
  return row?.count ?? 0;
}
