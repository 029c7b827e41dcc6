import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import { denyApproval } from "../../src/domain/approvals/deny-approval.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { completeTask } from "../../src/domain/tasks/complete-task.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { createApprovalScene } from "../support/approval-scene.ts";
import { keyCtx, userCtx } from "../support/callers.ts";
import { insertTestAgent } from "../support/factories.ts";
import { refund } from "../support/gateway-scene.ts";
import { holdLock } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { claimNew, createWorker } from "../support/workers.ts";

const LOCK_AGENT = "SELECT 1 FROM agent WHERE id = $1 FOR NO KEY UPDATE";
const LOCK_APPROVAL = "SELECT 1 FROM approval WHERE id = $1 FOR NO KEY UPDATE";
const LOCK_TASK = "SELECT 1 FROM task WHERE id = $1 FOR UPDATE";
const LOCK_KEY = "SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** A statement that locks a row, and the row's id. */
type Lock = [statement: string, id?: string];

/** Locks a row, lets a write wait for it, and expects that it holds no later locks. */
async function expectWaits(
  [locks, lockedId]: Lock,
  act: () => Promise<unknown>,
  [statement, id]: Lock,
): Promise<void> {
  const held = await holdLock(world.server.database, locks, lockedId === undefined ? [] : [lockedId]);
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
    await expectWaits([LOCK_AGENT, worker.agentId], () => cancelTask(operator, { id: task.id }), [
      LOCK_TASK,
      task.id,
    ]);
  });

  it("locks an agent before its key: a rotation", async () => {
    const { ctx } = await world.another();
    const { apiKey } = await createApiKey(ctx, { name: "A key", scopes: ["tasks:read"] });
    await expectWaits([LOCK_AGENT, apiKey.agentId], () => rotateApiKey(ctx, apiKey.id), [
      LOCK_KEY,
      apiKey.id,
    ]);
  });

  it("locks an agent before its key: a new token", async () => {
    const { ctx } = await world.another();
    const { id } = await createAgent(ctx, { handle: "packer" });
    const { apiKey } = await createApiKey(ctx, {
      ...{ name: "A key", scopes: ["agents:write"], agentHandle: "packer" },
    });
    const by = keyCtx(world.server, ctx, apiKey);
    const mint = () => createAgentToken(by, { agent: { handle: "packer" } });
    await expectWaits([LOCK_AGENT, id], mint, [LOCK_KEY, apiKey.id]);
  });

  it("locks agents in order of id: an emergency stop", async () => {
    const { ctx, workspaceId } = await world.another();
    const software = await insertTestAgent(ctx);
    const robot = await insertTestAgent(ctx, "robot");
    const operator = userCtx(world.server, workspaceId, "operator");
    await expectWaits([LOCK_AGENT, software], () => emergencyStop(operator, { reason: "x" }), [
      LOCK_AGENT,
      robot,
    ]);
  });

  it("looks at all that an agent works on before it locks the agent: a question", async () => {
    const { ask, agentId } = await createApprovalScene(world);
    await expectWaits(["LOCK TABLE mission IN ACCESS EXCLUSIVE MODE"], ask, [LOCK_AGENT, agentId]);
  });

  it("locks an approval before its task: a denial", async () => {
    const { id, taskId, person } = await askForTask();
    const approver = await person();
    const deny = () => denyApproval(approver, { id, comment: "No." });
    await expectWaits([LOCK_APPROVAL, id], deny, [LOCK_TASK, taskId]);
  });

  it("waits for no approval that is being decided: the end of its task", async () => {
    const { id, taskId, agent, leaseToken } = await askForTask();
    const held = await holdLock(world.server.database, LOCK_APPROVAL, [id]);
    try {
      expect((await completeTask(agent, { id: taskId, leaseToken })).status).toBe("completed");
    } finally {
      await held.release();
    }
  });
});

/** Has an agent ask people about a call for a task that it holds. */
async function askForTask() {
  const scene = await createApprovalScene(world);
  const { task, token } = await claimNew(scene.agent);
  const id = await scene.request(refund(undefined, { context: { task_id: task.id } }));
  return { ...scene, id, taskId: task.id, leaseToken: token };
}
