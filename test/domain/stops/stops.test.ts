import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgentToken } from "../../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { createSocketToken } from "../../../src/auth/socket-tokens/create-socket-token.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { createAgent } from "../../../src/domain/agents/create-agent.ts";
import { heartbeatAgent } from "../../../src/domain/agents/heartbeat-agent.ts";
import { setAgentLabels } from "../../../src/domain/agents/set-agent-labels.ts";
import { updateOwnAgent } from "../../../src/domain/agents/update-own-agent.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { listStops } from "../../../src/domain/stops/list-stops.ts";
import { releaseEmergencyStop, releaseStop } from "../../../src/domain/stops/release-stop.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, keyCtx, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW, refund } from "../../support/gateway-scene.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type TestServer, startOn, startTestServer } from "../../support/server.ts";
import { claimNew, createWorker } from "../../support/workers.ts";

type Worker = Ctx & { agentId: string };

let server: TestServer;
let workspaceId: string;
let operator: Ctx;
let admin: Ctx;
let worker: Worker;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId } = await server.createWorkspace());
  operator = userCtx(server, workspaceId, "operator");
  admin = userCtx(server, workspaceId, "admin");
  worker = await createWorker(server, workspaceId);
});

const label = (id: string, labels: Record<string, string>) => setAgentLabels(admin, { id, labels });

async function createLabeled(labels: Record<string, string>): Promise<Worker> {
  const agent = await createWorker(server, workspaceId);
  await label(agent.agentId, labels);
  return agent;
}

async function stopLabeled(labels: Record<string, string>) {
  return (await emergencyStop(operator, { reason: "x", scope: { labels } })).stop;
}

async function canClaim(agent: Worker): Promise<boolean> {
  await createTask(agent, { title: "x", assigneeAgentId: agent.agentId });
  return (await claimTask(agent, {})) !== null;
}

async function readEvents(type: string): Promise<object[]> {
  return server.database.query(
    "SELECT subject_id, data FROM event WHERE workspace_id = $1 AND type LIKE $2 ORDER BY seq",
    [workspaceId, type],
  );
}

async function readTypes(agentId: string): Promise<string[]> {
  const commands = await operator.db.agentCommand.findMany({ where: { agentId }, orderBy: { seq: "asc" } });
  return commands.map(({ type }) => type);
}

describe("a stop with a scope", () => {
  it("covers the agents with all of its labels, and no others", async () => {
    const both = await createLabeled({ hall: "a", team: "night" });
    const one = await createLabeled({ hall: "a" });
    const stop = await stopLabeled({ hall: "a", team: "night" });
    expect([await canClaim(both), await canClaim(one), await canClaim(worker)]).toEqual([false, true, true]);
    expect(await heartbeatAgent(both)).toMatchObject({ controlState: "stopped", emergencyStop: true });
    expect(await heartbeatAgent(one)).toMatchObject({ controlState: "active", emergencyStop: false });
    expect([await readTypes(both.agentId), await readTypes(one.agentId)]).toEqual([["agent.stop"], []]);
    expect(await readEvents("stop.%")).toMatchObject([
      {
        subject_id: stop.id,
        data: { kind: null, labels: { hall: "a", team: "night" }, reason: "x" },
      },
    ]);
    expect(await readEvents("workspace.emergency_%")).toEqual([]);
  });

  it("covers the agents of its kind", async () => {
    const robot = await insertTestAgent(operator, "robot");
    await emergencyStop(operator, { reason: "x", scope: { kind: "robot" } });
    expect(await canClaim(worker)).toBe(true);
    expect([await readTypes(robot), await readTypes(worker.agentId)]).toEqual([
      ["robot.stop", "agent.stop"],
      [],
    ]);
  });

  it("is one stop if it is repeated, and another for another scope; an agent goes on when none covers it", async () => {
    const agent = await createLabeled({ hall: "a", team: "night" });
    const stop = await stopLabeled({ hall: "a" });
    expect((await stopLabeled({ hall: "a" })).id).toBe(stop.id);
    const other = await stopLabeled({ team: "night" });
    expect((await listStops(operator)).map(({ id }) => id)).toEqual([stop.id, other.id]);
    await releaseStop(admin, { id: stop.id, reason: "y" });
    expect([await canClaim(agent), await readTypes(agent.agentId)]).toEqual([
      false,
      ["agent.stop", "agent.stop"],
    ]);
    await releaseStop(admin, { id: other.id, reason: "y" });
    expect([await canClaim(agent), await readTypes(agent.agentId)]).toEqual([
      true,
      ["agent.stop", "agent.stop", "agent.resume"],
    ]);
  });

  it("is released with all others", async () => {
    const agent = await createLabeled({ hall: "a" });
    await stopLabeled({ hall: "a" });
    await emergencyStop(operator, { reason: "x" });
    await releaseEmergencyStop(admin, { reason: "y" });
    expect([await listStops(operator), await canClaim(agent)]).toEqual([[], true]);
    expect(await readEvents("%released")).toHaveLength(3);
  });

  it("can't be left by changing labels", async () => {
    const agent = await createLabeled({ hall: "a" });
    await stopLabeled({ hall: "a" });
    expect(await getErrorCode(label(agent.agentId, {}))).toBe("emergency_stop");
    await label(worker.agentId, { hall: "a" });
    expect(await canClaim(worker)).toBe(false);
  });

  it.each([
    [{}, "validation_failed"],
    [{ labels: {} }, "validation_failed"],
    [{ kind: "drone" }, "validation_failed"],
    [{ agents: [] }, "unknown_field"],
  ])("is rejected as %j", async (scope, code) => {
    // @ts-expect-error some are not of the type
    expect(await getErrorCode(emergencyStop(operator, { reason: "x", scope }))).toBe(code);
  });

  it("is limited in number, which a stop of all agents is not", async () => {
    await server.database.query(
      `INSERT INTO stop (workspace_id, id, labels, reason, by, at, sent)
       SELECT $1, gen_random_uuid(), jsonb_build_object('n', n::text), 'x', '{}', now(), true
       FROM generate_series(1, $2::int) n`,
      [workspaceId, LIMITS.standingStops],
    );
    expect(await getErrorCode(stopLabeled({ one: "more" }))).toBe("invalid_state");
    await emergencyStop(operator, { reason: "x" });
    expect(await canClaim(worker)).toBe(false);
  });
});

describe("what a stop denies", () => {
  it("checks and executions of the agent, on every node, and for nobody else", async () => {
    await createPolicy(admin, ALLOW);
    const agent = await createLabeled({ hall: "a" });
    const other = await startOn(server.database);
    try {
      const there = agentCtx(other, { id: agent.agentId, workspaceId });
      const requestText = JSON.stringify(refund());
      expect((await checkRequest(there, { requestText })).status).toBe("allowed");
      await stopLabeled({ hall: "a" });
      expect(await checkRequest(there, { requestText })).toMatchObject({
        status: "denied",
        reason: "emergency_stop",
      });
      const decisionId = crypto.randomUUID();
      expect(await getErrorCode(startExecution(there, { decisionId, requestText }))).toBe("emergency_stop");
      expect((await checkRequest(worker, { requestText })).status).toBe("allowed");
    } finally {
      await other.stop();
    }
  });

  it("checks that a delegate asks for a stopped agent, or while it is stopped itself", async () => {
    await createPolicy(admin, ALLOW);
    const agent = await createLabeled({ hall: "a" });
    await stopLabeled({ hall: "a" });
    const ask = async (by: Worker, type: string, id: string) =>
      (await checkRequest(by, { requestText: JSON.stringify(refund({}, { subject: { type, id } })) })).reason;
    expect(await ask(worker, "agent", agent.agentId)).toBe("emergency_stop");
    expect(await ask(worker, "user", "ada")).toBe("policy_allow");
    expect(await ask(agent, "user", "ada")).toBe("emergency_stop");
  });

  it("new agents and tokens; tokens for sockets, heartbeats and outcomes stay", async () => {
    const { apiKey } = await createApiKey(admin, { name: "A key", scopes: ["agents:write", "tasks:work"] });
    const key = keyCtx(server, admin, apiKey);
    const { task, token } = await claimNew(worker);
    await emergencyStop(operator, { reason: "x" });
    expect(await getErrorCode(createAgentToken(key, {}))).toBe("emergency_stop");
    expect(await getErrorCode(createAgentToken(key, { agent: { handle: "new" } }))).toBe("emergency_stop");
    expect(await getErrorCode(createAgent(admin, { handle: "new" }))).toBe("emergency_stop");
    expect(await getErrorCode(createApiKey(admin, { name: "x", scopes: ["tasks:read"] }))).toBe(
      "emergency_stop",
    );
    expect((await createSocketToken(key, {})).secret).toMatch(/^ags_/);
    expect(await heartbeatTask(worker, { id: task.id, leaseToken: token })).toMatchObject({
      controlState: "stopped",
      cancelRequested: true,
    });
    expect((await completeTask(worker, { id: task.id, leaseToken: token, output: {} })).status).toBe(
      "completed",
    );
  });

  it("new agents of its kind, but not others", async () => {
    await emergencyStop(operator, { reason: "x", scope: { kind: "robot" } });
    expect(await getErrorCode(createAgent(admin, { handle: "cart", kind: "robot" }))).toBe("emergency_stop");
    expect((await createAgent(admin, { handle: "clerk" })).handle).toBe("clerk");
  });

  it("commands, unless they make agents do less; those that are queued wait", async () => {
    await updateOwnAgent(worker, { capabilities: [{ type: "custom.wave" }] });
    const wave = { agentId: worker.agentId, type: "custom.wave" };
    await issueAgentCommands(admin, wave);
    const { stop } = await emergencyStop(operator, { reason: "x" });
    expect(await getErrorCode(issueAgentCommands(admin, wave))).toBe("emergency_stop");
    expect(
      await getErrorCode(issueAgentCommands(admin, { selector: { kind: "software" }, type: "agent.resume" })),
    ).toBe("emergency_stop");
    await issueAgentCommands(admin, { agentId: worker.agentId, type: "task.cancel" });
    const deliver = async () => (await nextAgentCommands(worker, { limit: 20 })).map(({ type }) => type);
    expect(await deliver()).toEqual(["agent.stop", "task.cancel"]);
    await releaseStop(admin, { id: stop.id, reason: "y" });
    expect(await deliver()).toEqual(["agent.resume", "custom.wave"]);
  });
});

describe("a stop that comes while something runs", () => {
  /** Holds the workspace as a stop does between its first statement and its commit. */
  async function startStop() {
    const held = await holdLock(
      server.database,
      "UPDATE workspace SET generation = generation + 1 WHERE id = $1",
      [workspaceId],
    );
    await held.query(
      `INSERT INTO stop (workspace_id, id, reason, by, at, sent)
       VALUES ($1, gen_random_uuid(), 'x', '{"type": "system", "id": null, "name": "x"}', now(), true)`,
      [workspaceId],
    );
    return held;
  }

  it("is seen by a claim that began before its commit", async () => {
    await createTask(worker, { title: "x" });
    const stop = await startStop();
    const claim = claimTask(worker, {});
    await stop.waiters(1);
    await stop.release();
    expect(await claim).toBeNull();
    await releaseEmergencyStop(admin, { reason: "y" });
    expect(await claimTask(worker, {})).not.toBeNull();
  });

  it.each<[string, (key: Ctx) => Promise<unknown>]>([
    ["a new token", (key) => createAgentToken(key, {})],
    ["a new agent", () => createAgent(admin, { handle: "new" })],
    ["a command", () => issueAgentCommands(admin, { agentId: worker.agentId, type: "agent.restart" })],
    ["other labels", () => label(worker.agentId, { hall: "b" })],
    [
      "an execution",
      () =>
        startExecution(worker, { decisionId: crypto.randomUUID(), requestText: JSON.stringify(refund()) }),
    ],
  ])("is seen by %s that began before its commit", async (_what, act) => {
    await updateOwnAgent(worker, { capabilities: [{ type: "agent.restart" }] });
    const { apiKey } = await createApiKey(admin, { name: "A key", scopes: ["tasks:work"] });
    const stop = await startStop();
    const acting = getErrorCode(act(keyCtx(server, admin, apiKey)));
    await stop.waiters(1);
    await stop.release();
    expect(await acting).toBe("emergency_stop");
  });

  it("leaves no claimed task that is not asked to cancel", async () => {
    for (let made = 0; made < 40; made++) await createTask(worker, { title: "x" });
    const claims = Array.from({ length: 20 }, () => claimTask(worker, {}));
    const stopping = emergencyStop(operator, { reason: "x" });
    claims.push(...Array.from({ length: 20 }, () => claimTask(worker, {})));
    await Promise.all([stopping, ...claims]);
    const missed = await worker.db.task.count({ where: { status: "working", cancelRequestedAt: null } });
    expect(missed).toBe(0);
  });
});
