import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { createAgent } from "../../../src/domain/agents/create-agent.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { heartbeatAgent } from "../../../src/domain/agents/heartbeat-agent.ts";
import { listAgents } from "../../../src/domain/agents/list-agents.ts";
import { renameAgent } from "../../../src/domain/agents/rename-agent.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { setAgentLabels } from "../../../src/domain/agents/set-agent-labels.ts";
import { updateOwnAgent } from "../../../src/domain/agents/update-own-agent.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { createTestClient } from "../../support/test-client.ts";
import { insertTestAgent as makeAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { claimNew, createWorker } from "../../support/workers.ts";

let server: TestServer;
let workspaceId: string;
let apiKey: string;
let worker: Ctx & { agentId: string };
let admin: Ctx;
let operator: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ workspaceId, apiKey } = await server.createWorkspace());
  worker = await createWorker(server, workspaceId);
  admin = userCtx(server, workspaceId, "admin");
  operator = userCtx(server, workspaceId, "operator");
});

async function commandTypes(agentId: string): Promise<string[]> {
  const commands = await worker.db.agentCommand.findMany({ where: { agentId }, orderBy: { seq: "asc" } });
  return commands.map(({ type }) => type);
}

async function readAudit(action: string): Promise<{ changes: object }[]> {
  return server.database.query(
    "SELECT changes FROM audit_event WHERE workspace_id = $1 AND action = $2 ORDER BY seq",
    [workspaceId, action],
  );
}

describe("setAgentControlState", () => {
  it("pauses: the agent claims nothing more and keeps its tasks", async () => {
    const { task, token } = await claimNew(worker);
    await createTask(worker, { title: "Another" });
    await setAgentControlState(operator, { id: worker.agentId, controlState: "paused", reason: "Too eager" });
    expect(await claimTask(worker, {})).toBeNull();
    expect(await heartbeatTask(worker, { id: task.id, leaseToken: token })).toMatchObject({
      cancelRequested: false,
      controlState: "paused",
    });
    await setAgentControlState(operator, { id: worker.agentId, controlState: "active" });
    expect(await claimTask(worker, {})).not.toBeNull();
    expect(await commandTypes(worker.agentId)).toEqual(["agent.pause", "agent.resume"]);
    expect(await readAudit("agent.control_state_changed")).toMatchObject([
      { changes: { control_state: { from: "active", to: "paused" }, reason: "Too eager" } },
      { changes: { control_state: { from: "paused", to: "active" }, reason: null } },
    ]);
  });

  it("stops: requests cancellation of the agent's tasks only", async () => {
    const other = await createWorker(server, workspaceId);
    const [mine, others] = [await claimNew(worker), await claimNew(other)];
    await setAgentControlState(operator, { id: worker.agentId, controlState: "stopped" });
    expect(await heartbeatTask(worker, { id: mine.task.id, leaseToken: mine.token })).toMatchObject({
      cancelRequested: true,
      controlState: "stopped",
    });
    const heartbeat = await heartbeatTask(other, { id: others.task.id, leaseToken: others.token });
    expect(heartbeat).toMatchObject({ cancelRequested: false, controlState: "active" });
    expect(await commandTypes(worker.agentId)).toEqual(["agent.stop"]);
  });

  it("prevents claims that begin while it is set", async () => {
    for (let made = 0; made < 40; made++) await createTask(worker, { title: "x" });
    const claims = Array.from({ length: 20 }, () => claimTask(worker, {}));
    const stopping = setAgentControlState(operator, { id: worker.agentId, controlState: "stopped" });
    claims.push(...Array.from({ length: 20 }, () => claimTask(worker, {})));
    await Promise.all([stopping, ...claims]);
    const missed = await worker.db.task.count({ where: { status: "working", cancelRequestedAt: null } });
    expect(missed).toBe(0);
  });

  it("changes nothing if the state is the same", async () => {
    await setAgentControlState(operator, { id: worker.agentId, controlState: "active" });
    expect(await commandTypes(worker.agentId)).toEqual([]);
    expect(await readAudit("agent.control_state_changed")).toEqual([]);
  });

  it("requires an operator", async () => {
    const input = { id: worker.agentId, controlState: "paused" as const };
    expect(await getErrorCode(setAgentControlState(userCtx(server, workspaceId, "viewer"), input))).toBe(
      "forbidden",
    );
    expect(await getErrorCode(setAgentControlState(worker, input))).toBe("forbidden");
    expect(await getErrorCode(setAgentControlState(operator, { ...input, id: crypto.randomUUID() }))).toBe(
      "not_found",
    );
  });
});

describe("emergencyStop", () => {
  it("stops all agents at once, with commands to every agent and robot", async () => {
    const robot = await makeAgent(worker, "robot");
    const { task, token } = await claimNew(worker);
    await createTask(worker, { title: "Waits" });
    const { stop } = await emergencyStop(operator, { reason: "Smoke in hall A" });
    expect(stop.releasedAt).toBeNull();
    expect(await claimTask(worker, {})).toBeNull();
    expect(await heartbeatTask(worker, { id: task.id, leaseToken: token })).toMatchObject({
      cancelRequested: true,
      controlState: "stopped",
    });
    expect(await heartbeatAgent(worker)).toMatchObject({
      controlState: "stopped",
      emergencyStop: true,
      pendingCommands: 1,
    });
    expect(await commandTypes(worker.agentId)).toEqual(["agent.stop"]);
    expect(await commandTypes(robot)).toEqual(["robot.stop", "agent.stop"]);
    expect(await readAudit("workspace.emergency_stopped")).toEqual([
      { changes: { reason: "Smoke in hall A" } },
    ]);
  });

  it("changes nothing the second time", async () => {
    const first = await emergencyStop(operator, { reason: "One" });
    const again = await emergencyStop(admin, { reason: "Two" });
    expect([again.stop.id, again.stop.reason]).toEqual([first.stop.id, "One"]);
    expect(await readAudit("workspace.emergency_stopped")).toHaveLength(1);
  });

  it("is released by admins with a reason, except for agents stopped individually", async () => {
    const paused = await createWorker(server, workspaceId);
    await setAgentControlState(operator, { id: paused.agentId, controlState: "paused" });
    await emergencyStop(operator, { reason: "Drill" });
    expect(await getErrorCode(releaseEmergencyStop(operator, { reason: "Over" }))).toBe("forbidden");
    expect(await getErrorCode(releaseEmergencyStop(admin, { reason: "" }))).toBe("validation_failed");
    await releaseEmergencyStop(admin, { reason: "Over" });
    expect(await commandTypes(worker.agentId)).toEqual(["agent.stop", "agent.resume"]);
    expect(await commandTypes(paused.agentId)).toEqual(["agent.pause", "agent.stop"]);
    await createTask(worker, { title: "On we go" });
    expect(await claimTask(paused, {})).toBeNull();
    expect(await claimTask(worker, {})).not.toBeNull();
    expect(await readAudit("workspace.emergency_stop_released")).toEqual([{ changes: { reason: "Over" } }]);
    expect(await getErrorCode(releaseEmergencyStop(admin, { reason: "Again" }))).toBe("invalid_state");
  });

  it("requires an operator", async () => {
    const viewer = userCtx(server, workspaceId, "viewer");
    expect(await getErrorCode(emergencyStop(viewer, { reason: "x" }))).toBe("forbidden");
    expect(await getErrorCode(emergencyStop(worker, { reason: "x" }))).toBe("forbidden");
    expect(await getErrorCode(releaseEmergencyStop(worker, { reason: "x" }))).toBe("forbidden");
  });
});

describe("updateOwnAgent", () => {
  const profile = {
    name: "Billing bot",
    version: "2.1.0",
    description: "Refunds orders",
    capabilities: [{ type: "custom.refund", params_schema: { type: "object" } }, { type: "custom.report" }],
  };

  it("changes only the given fields", async () => {
    const agent = await updateOwnAgent(worker, profile);
    expect(agent).toMatchObject({ ...profile, id: worker.agentId, generation: 2 });
    expect(await updateOwnAgent(worker, profile)).toEqual(agent);
    const next = await updateOwnAgent(worker, { version: null });
    expect(next).toMatchObject({ ...profile, version: null, generation: 3 });
  });

  it.each([
    ["name", { name: "" }],
    ["version", { version: "x".repeat(101) }],
    ["description", { description: "x".repeat(2001) }],
    ["capabilities.0.type", { capabilities: [{ type: "No" }] }],
    ["capabilities.0.params_schema", { capabilities: [{ type: "custom.a", params_schema: 1 as never }] }],
    ["capabilities", { capabilities: [{ type: "custom.a" }, { type: "custom.a" }] }],
    [
      "capabilities",
      { capabilities: Array.from({ length: 65 }, (_, index) => ({ type: `custom.a${index}` })) },
    ],
    [
      "capabilities.1.params_schema.properties.a.pattern",
      {
        capabilities: [
          { type: "custom.a", params_schema: { type: "object" } },
          { type: "custom.b", params_schema: { properties: { a: { pattern: "(a)\\1" } } } },
        ],
      },
    ],
  ])("rejects a wrong %s (case %#)", async (field, input) => {
    await expect(updateOwnAgent(worker, input)).rejects.toMatchObject({ details: { field } });
  });

  it("rejects users", async () => {
    expect(await getErrorCode(updateOwnAgent(admin, {}))).toBe("forbidden");
    expect(await getErrorCode(heartbeatAgent(admin))).toBe("forbidden");
  });
});

describe("heartbeatAgent", () => {
  it("returns the control state and records that the agent was seen", async () => {
    worker.now = new Date("2100-01-01T00:00:00.000Z");
    await setAgentControlState(operator, { id: worker.agentId, controlState: "paused" });
    expect(await heartbeatAgent(worker)).toEqual({
      controlState: "paused",
      emergencyStop: false,
      pendingCommands: 1,
      serverTime: worker.now,
    });
    const agent = await worker.db.agent.findFirstOrThrow({ where: { id: worker.agentId } });
    expect(agent.lastSeenAt).toEqual(worker.now);
  });
});

describe("createAgent, renameAgent and archiveAgent", () => {
  it("create, rename and archive an agent", async () => {
    const made = await createAgent(admin, { handle: "packer", kind: "robot" });
    expect(made).toMatchObject({ handle: "packer", name: "packer", kind: "robot" });
    expect(await getErrorCode(createAgent(admin, { handle: "packer" }))).toBe("already_exists");
    expect((await renameAgent(admin, { id: made.id, name: "The packer" })).name).toBe("The packer");
    expect((await archiveAgent(admin, made.id)).archivedAt).not.toBeNull();
    expect(await getErrorCode(archiveAgent(admin, made.id))).toBe("not_found");
    expect(await getErrorCode(renameAgent(admin, { id: made.id, name: "x" }))).toBe("not_found");
    for (const action of ["agent.created", "agent.renamed", "agent.archived"]) {
      expect(await readAudit(action), action).toHaveLength(1);
    }
  });

  it("revoke the agent's tokens and end its work at once", async () => {
    const key = createTestClient(server.url, apiKey);
    const { body } = await key.post("/api/v1/agent_tokens", { agent: { handle: "leaver" } });
    const leaver = createTestClient(server.url, body.token);
    expect((await leaver.get("/api/v1/whoami")).status).toBe(200);
    const own = agentCtx(server, { id: body.agent_id, workspaceId });
    const { task, token } = await claimNew(own);
    await archiveAgent(admin, body.agent_id);
    expect((await leaver.get("/api/v1/whoami")).status).toBe(401);
    const heartbeat = await heartbeatTask(own, { id: task.id, leaseToken: token });
    expect(heartbeat.cancelRequested).toBe(true);
  });

  it("keep an agent with a valid API key", async () => {
    const primary = await worker.db.agent.findFirstOrThrow({ where: { handle: "primary" } });
    expect(await getErrorCode(archiveAgent(admin, primary.id))).toBe("invalid_state");
  });

  it("require an admin", async () => {
    expect(await getErrorCode(createAgent(operator, { handle: "x" }))).toBe("forbidden");
    expect(await getErrorCode(renameAgent(operator, { id: worker.agentId, name: "x" }))).toBe("forbidden");
    expect(await getErrorCode(archiveAgent(operator, worker.agentId))).toBe("forbidden");
    expect(await getErrorCode(renameAgent(worker, { id: worker.agentId, name: "x" }))).toBe("forbidden");
    if (worker.actor.type === "agent") worker.actor = { ...worker.actor, scopes: new Set(["agents:read"]) };
    expect(await getErrorCode(createAgent(worker, { handle: "x" }))).toBe("insufficient_scope");
  });
});

describe("listAgents", () => {
  it("selects agents by kind, labels and archived state", async () => {
    const robot = await makeAgent(worker, "robot");
    await setAgentLabels(admin, { id: worker.agentId, labels: { site: "a", team: "x" } });
    const gone = await createAgent(admin, { handle: "gone" });
    await archiveAgent(admin, gone.id);
    const find = async (filter: Parameters<typeof listAgents>[2]) => {
      const page = await listAgents(operator, {}, filter);
      expect(page.total).toBe(page.nodes.length);
      return page.nodes.map(({ id }) => id);
    };
    expect(await find({ kind: "robot" })).toEqual([robot]);
    expect(await find({ labels: { site: "a" } })).toEqual([worker.agentId]);
    expect(await find({ labels: { site: "a", team: "y" } })).toEqual([]);
    expect(await find({ archived: true })).toEqual([gone.id]);
    expect(await find({ archived: false, kind: "software" })).toContain(worker.agentId);
  });
});
