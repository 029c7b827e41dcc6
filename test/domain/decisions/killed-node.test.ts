import { expect, it } from "vitest";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { CHECK_PATH, refund } from "../../support/gateway-scene.ts";
import { startNode } from "../../support/node-process.ts";
import { createTestClient } from "../../support/test-client.ts";
import { createWorld } from "../../support/test-world.ts";

const CALLERS = 8;
const BEFORE_THE_KILL = 300;

it("a killed node has stored every refusal that it answered", async () => {
  const world = await createWorld();
  try {
    await createPolicy(world.ctx, {
      name: "small",
      effect: "allow",
      actions: ["*"],
      when: "args.amount < 500",
    });
    const node = await startNode(world.server.database.url);
    const client = createTestClient(node.url, world.apiKey);
    const denied: string[] = [];
    const allowed: string[] = [];
    let reach = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const callUntilKilled = async (caller: number) => {
      for (let call = caller; ; call++) {
        const answer = await client
          .post(CHECK_PATH, { request: refund({ amount: call % 2 === 0 ? 100 : 900 }) })
          .catch(() => null);
        if (answer === null) return;
        const { id, status } = answer.body.check;
        (status === "allowed" ? allowed : denied).push(id);
        if (denied.length >= BEFORE_THE_KILL) reach();
      }
    };
    const calls = Array.from({ length: CALLERS }, (_, caller) => callUntilKilled(caller));
    await reached;
    await node.kill();
    await Promise.all(calls);
    const [row] = await world.server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM decision WHERE id = ANY ($1)",
      [denied],
    );
    expect([denied.length, allowed.length].every((count) => count > 100)).toBe(true);
    expect(row?.count).toBe(denied.length);
  } finally {
    await world.server.close();
  }
});
