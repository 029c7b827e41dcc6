import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { updateOwnAgent } from "../../../src/domain/agents/update-own-agent.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode, keyCtx } from "../../support/callers.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const ROUNDS = 6;
/** Of each act, on each node. */
const EACH = 3;

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

type Acts = (() => Promise<unknown>)[];

/** An agent that does what a stop forbids. `prepare` returns what it does next on one of the nodes. */
async function createScene(): Promise<{ ctx: Ctx; prepare: (node: TestServer) => Promise<Acts> }> {
  const scene = await createApprovalScene(world);
  const { ctx, agentId, lineageId } = scene;
  const { workspaceId } = ctx;
  const person = await scene.person();
  await updateOwnAgent(scene.agent, { capabilities: [{ type: "agent.restart" }] });
  const { apiKey } = await createApiKey(ctx, { name: "A key", scopes: ["tasks:work"] });
  let amount = 500;
  async function prepare(node: TestServer): Promise<Acts> {
    const agent = agentCtx(node, { id: agentId, workspaceId }, { lineageId });
    const request = refund({ amount: ++amount });
    const approvalId = await scene.request(request);
    await grantApproval(person, { id: approvalId });
    await createTask(ctx, { title: "x", assigneeAgentId: agentId });
    return [
      () => redeemApproval(agent, { approvalId, requestText: JSON.stringify(request) }),
      () => claimTask(agent, {}),
      () => createAgentToken(keyCtx(node, ctx, apiKey), {}),
      () => issueAgentCommands(node.systemCtx(workspaceId), { agentId, type: "agent.restart" }),
    ];
  }
  return { ctx, prepare };
}

/** Does one after the other, until a stop forbids it. `note` is told of each that was done. */
async function doUntilStopped(acts: Acts, note: () => void): Promise<void> {
  for (const act of acts) {
    const code = await getErrorCode(act());
    if (code !== "") return expect(code).toBe("emergency_stop");
    note();
  }
}

/**
 * What was done that no agent does that is stopped, with `stop.started` and `stop.released`, in the order of the commits.
 * The first update of a task is its claim.
 */
async function readOrder({ workspaceId }: Ctx): Promise<string[]> {
  const events = await world.server.database.query<{ type: string }>(
    `SELECT e.type FROM event e
     LEFT JOIN agent_command c ON c.workspace_id = e.workspace_id AND c.id = e.subject_id
     WHERE e.workspace_id = $1 AND (
       e.type IN ('stop.started', 'stop.released', 'execution.started', 'agent_token.created')
       OR e.type = 'agent_command.created' AND c.type = 'agent.restart'
       OR e.type = 'task.updated' AND e.seq = (
         SELECT min(b.seq) FROM event b
         WHERE b.workspace_id = e.workspace_id AND b.subject_id = e.subject_id AND b.type = e.type))
     ORDER BY e.seq`,
    [workspaceId],
  );
  return events.map(({ type }) => type);
}

describe("a stop amid redemptions, claims, new tokens and commands on two nodes", () => {
  it("comes before or after each of them: none is committed between it and its release", async () => {
    const { ctx, prepare } = await createScene();
    for (let round = 0; round < ROUNDS; round++) {
      const nodes = Array.from({ length: EACH }, () => [world.server, second]).flat();
      const prepared = await Promise.all(nodes.map(prepare));
      let done = 0;
      const stops: Promise<unknown>[] = [];
      const note = () => {
        if (++done > round && stops.length === 0) stops.push(emergencyStop(ctx, { reason: "fire" }));
      };
      await Promise.all(prepared.map((acts) => doUntilStopped(rotate(acts, round), note)));
      await Promise.all(stops);
      await releaseEmergencyStop(ctx, { reason: "over" });
    }
    const order = await readOrder(ctx);
    const follows = order.filter((_type, index) => order[index - 1] === "stop.started");
    expect(follows).toEqual(Array.from({ length: ROUNDS }, () => "stop.released"));
    expect(new Set(order).size).toBe(6);
  });
});

/** The same acts, beginning with another one. */
function rotate(acts: Acts, by: number): Acts {
  return acts.map((_act, index) => acts.at((index + by) % acts.length) ?? (async () => {}));
}
