import { expect, it } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { CALLS, DOLLARS, findWrongSums, readSums } from "../../support/budget-scene.ts";
import { startNode } from "../../support/node-process.ts";
import { createTestClient } from "../../support/test-client.ts";
import { createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/budget_reservations";
const CALLERS = 16;
const BEFORE_THE_KILL = 300;

it("a node that is killed amid reservations has stored all that it admitted, and half of none", async () => {
  const world = await createWorld();
  try {
    await createBudget(world.ctx, { ...CALLS, limit: "100000" });
    await createBudget(world.ctx, { ...DOLLARS, limit: "100000" });
    const node = await startNode(world.server.database.url);
    const client = createTestClient(node.url, world.apiKey);
    const admitted: string[] = [];
    let reach = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const callUntilKilled = async () => {
      for (;;) {
        const answer = await client.post(PATH, { amounts: { usd: "0.01" } }).catch(() => null);
        if (answer === null) return;
        admitted.push(answer.body.reservation.id);
        if (admitted.length >= BEFORE_THE_KILL) reach();
      }
    };
    const calls = Array.from({ length: CALLERS }, callUntilKilled);
    await reached;
    await node.kill();
    await Promise.all(calls);
    const [row] = await world.server.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM reservation WHERE id = ANY ($1)",
      [admitted],
    );
    expect(row?.count).toBe(admitted.length);
    expect(await findWrongSums(world.server, world.workspaceId)).toEqual([]);
    const [sum] = await readSums(world.server, world.workspaceId);
    expect(Number(sum?.used)).toBeGreaterThanOrEqual(admitted.length);
    const again = await createTestClient(world.server.url, world.apiKey).post(PATH, {});
    expect(again.status).toBe(201);
  } finally {
    await world.server.close();
  }
});
