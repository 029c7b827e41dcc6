import { afterAll, beforeAll, describe, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { keyCtx, userCtx } from "../support/callers.ts";
import { insertTestAgent } from "../support/factories.ts";
import { holdLock } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { claimNew, createWorker } from "../support/workers.ts";

const LOCK_AGENT = "SELECT 1 FROM agent WHERE id = $1 FOR NO KEY UPDATE";
const LOCK_KEY = "SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Locks an agent's row, lets a write wait for it, and expects that it holds no later locks. */
async function expectWaits(
  agentId: string,
  act: () => Promise<unknown>,
  later: [string, string],
): Promise<void> {
  const [statement, id] = later;
  const held = await holdLock(world.server.database, LOCK_AGENT, [agentId]);
  const acting = act();
  try {
    await held.waiters(1);
    await held.query(`${statement} NOWAIT`, [id]);
  } finally {
    await held.release();
    await acting;
  }
}

describe("a write that locks several rows", () => {
  it("locks an agent before its task: a cancellation", async () => {
    const worker = await createWorker(world.server, world.workspaceId);
    const { task } = await claimNew(worker);
    const operator = userCtx(world.server, world.workspaceId, "operator");
    const lockTask = "SELECT 1 FROM task WHERE id = $1 FOR UPDATE";
    await expectWaits(worker.agentId, () => cancelTask(operator, { id: task.id }), [lockTask, task.id]);
  });

  it("locks an agent before its key: a rotation", async () => {
    const { ctx } = await world.another();
    const { apiKey } = await createApiKey(ctx, { name: "A key", scopes: ["tasks:read"] });
    await expectWaits(apiKey.agentId, () => rotateApiKey(ctx, apiKey.id), [LOCK_KEY, apiKey.id]);
  });

  it("locks an agent before its key: a new token", async () => {
    const { ctx } = await world.another();
    const { id } = await createAgent(ctx, { handle: "packer" });
    const { apiKey } = await createApiKey(ctx, {
      ...{ name: "A key", scopes: ["agents:write"], agentHandle: "packer" },
    });
    const by = keyCtx(world.server, ctx, apiKey);
    const mint = () => createAgentToken(by, { agent: { handle: "packer" } });
    await expectWaits(id, mint, [LOCK_KEY, apiKey.id]);
  });

  it("locks agents in order of id: an emergency stop", async () => {
    const { ctx, workspaceId } = await world.another();
    const software = await insertTestAgent(ctx);
    const robot = await insertTestAgent(ctx, "robot");
    const operator = userCtx(world.server, workspaceId, "operator");
    await expectWaits(software, () => emergencyStop(operator, { reason: "x" }), [LOCK_AGENT, robot]);
  });
});
