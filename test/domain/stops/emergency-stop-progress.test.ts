import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import { sweepAgentCommands } from "../../../src/domain/agent-commands/sweep-agent-commands.ts";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { heartbeatAgent } from "../../../src/domain/agents/heartbeat-agent.ts";
import { listAgents } from "../../../src/domain/agents/list-agents.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { readOverview } from "../../../src/domain/overview/read-overview.ts";
import { listRobots } from "../../../src/domain/robots/list-robots.ts";
import { sweepStops } from "../../../src/domain/stops/sweep-stops.ts";
import { listStops } from "../../../src/domain/stops/list-stops.ts";
import { pickOutstanding, readStopProgress } from "../../../src/domain/stops/read-stop-progress.ts";
import { readStopStates } from "../../../src/domain/stops/read-stop-states.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const HOUR = 3_600_000;

let server: TestServer;
let operator: Ctx;
let admin: Ctx;
let primary: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const { workspaceId } = await server.createWorkspace();
  operator = userCtx(server, workspaceId, "operator");
  admin = userCtx(server, workspaceId, "admin");
  primary = (await operator.db.agent.findFirstOrThrow({ where: { handle: "primary" } })).id;
});

/** An agent seen just now. */
async function online(kind: "software" | "robot" = "software"): Promise<Ctx & { agentId: string }> {
  const agentId = await insertTestAgent(operator, kind);
  const ctx = agentCtx(server, { id: agentId, workspaceId: operator.workspaceId });
  await heartbeatAgent(ctx);
  return Object.assign(ctx, { agentId });
}

async function acknowledge(agent: Ctx, outcome: "accepted" | "rejected" = "accepted"): Promise<string[]> {
  const commands = await nextAgentCommands(agent, { limit: 20 });
  for (const { id } of commands) await acknowledgeAgentCommand(agent, { id, outcome });
  return commands.map(({ id }) => id);
}

/** Of the oldest stop. */
async function readProgress() {
  const [stop] = await listStops(operator);
  const progress = await readStopProgress(operator, [stop?.id ?? ""]);
  return [...progress.values()][0] ?? { agents: {}, outstanding: [] };
}

async function counts() {
  return (await readProgress()).agents;
}

async function insertAgents(count: number): Promise<void> {
  await server.database.query(
    `INSERT INTO agent (workspace_id, id, handle, name)
     SELECT $1, gen_random_uuid(), 'many-' || n, 'One of many' FROM generate_series(1, $2::int) n`,
    [operator.workspaceId, count],
  );
}

async function countCommands(type: string) {
  const [counted] = await server.database.query(
    `SELECT count(DISTINCT agent_id)::int AS agents, count(*)::int AS commands FROM agent_command
     WHERE workspace_id = $1 AND type = $2`,
    [operator.workspaceId, type],
  );
  return counted;
}

describe("readStopProgress", () => {
  it("counts confirmed, pending and unreachable agents, and lists the outstanding ones", async () => {
    const [one, other, robot] = [await online(), await online(), await online("robot")];
    await emergencyStop(operator, { reason: "Smoke" });
    expect(await counts()).toEqual({ total: 4, confirmed: 0, pending: 3, unreachable: 1 });
    const done = await acknowledge(one);
    await acknowledge(robot);
    const { agents, outstanding } = await readProgress();
    expect(agents).toEqual({ total: 4, confirmed: 2, pending: 1, unreachable: 1 });
    expect(outstanding).toEqual([
      { id: primary, kind: "software", state: "unreachable", lastSeenAt: null },
      { id: other.agentId, kind: "software", state: "pending", lastSeenAt: expect.any(Date) },
    ]);
    for (const id of done) await reportAgentCommandResult(one, { id, status: "succeeded", result: {} });
    expect(await counts()).toEqual(agents);
  });

  it("counts a robot as confirmed after it acknowledged both commands", async () => {
    const robot = await online("robot");
    await emergencyStop(operator, { reason: "Smoke" });
    const [first] = await nextAgentCommands(robot, { limit: 1 });
    expect(first?.type).toBe("robot.stop");
    await acknowledgeAgentCommand(robot, { id: first?.id ?? "", outcome: "accepted" });
    expect((await readStopStates(operator, [robot.agentId])).get(robot.agentId)).toBe("pending");
    await acknowledge(robot);
    expect((await readStopStates(operator, [robot.agentId])).get(robot.agentId)).toBe("confirmed");
  });

  it("counts agents as unreachable that are silent, or rejected or failed the command, or let it expire", async () => {
    const [silent, refusing, failing, expiring] = [
      await online(),
      await online(),
      await online(),
      await online(),
    ];
    await emergencyStop(operator, { reason: "Smoke" });
    await acknowledge(refusing, "rejected");
    const [id = ""] = await acknowledge(failing);
    await reportAgentCommandResult(failing, { id, status: "failed", error: { code: "x", message: "No" } });
    await operator.db.agent.updateMany({
      where: { id: silent.agentId },
      data: { lastSeenAt: new Date(Date.now() - HOUR) },
    });
    await operator.db.agentCommand.updateMany({
      where: { agentId: expiring.agentId },
      data: { expiresAt: new Date(Date.now() - HOUR), nextDeadlineAt: new Date(Date.now() - HOUR) },
    });
    await sweepAgentCommands(server.services);
    expect(await counts()).toEqual({ total: 5, confirmed: 0, pending: 0, unreachable: 5 });
  });

  it("ignores agents archived or created since, and commands of other stops", async () => {
    const [kept, gone] = [await online(), await online()];
    await emergencyStop(operator, { reason: "First" });
    await acknowledge(kept);
    await releaseEmergencyStop(admin, { reason: "Over" });
    await emergencyStop(operator, { reason: "Second" });
    await archiveAgent(admin, gone.agentId);
    await insertAgents(1);
    expect(await counts()).toEqual({ total: 2, confirmed: 0, pending: 1, unreachable: 1 });
  });

  it("lists at most the requested number, robots first", async () => {
    await online();
    const robot = await online("robot");
    await emergencyStop(operator, { reason: "Smoke" });
    const { stop } = await emergencyStop(operator, { reason: "Smoke" });
    const progress = (await readStopProgress(operator, [stop.id])).get(stop.id);
    if (progress === undefined) throw new Error("the stop has no progress");
    const shown = pickOutstanding(progress, { first: 1 });
    expect([progress.agents.pending, shown.map(({ id }) => id)]).toEqual([2, [robot.agentId]]);
    for (const first of [0, 101]) {
      expect(() => pickOutstanding(progress, { first })).toThrow(
        expect.objectContaining({ code: "validation_failed" }),
      );
    }
  });

  it("requires the scope to read agents", async () => {
    const { agentId: id } = await online();
    const ctx = agentCtx(server, { id, workspaceId: operator.workspaceId }, { scopes: ["tasks:read"] });
    expect(await getErrorCode(readStopProgress(ctx, []))).toBe("insufficient_scope");
  });
});

describe("an emergency stop", () => {
  it.each([
    ["a second call", (ctx: Ctx) => emergencyStop(ctx, { reason: "Again" })],
    ["the sweep", (ctx: Ctx) => sweepStops(ctx.services)],
  ])(
    "tells every agent once, however many there are; %s continues an interrupted stop",
    async (_who, next) => {
      const paused = await online();
      await setAgentControlState(operator, { id: paused.agentId, controlState: "paused" });
      await insertAgents(1000);
      await emergencyStop(operator, { reason: "Smoke" });
      expect(await countCommands("agent.stop")).toEqual({ agents: 1002, commands: 1002 });
      // As if the process had ended after the first 500 agents.
      const [last] = await server.database.query<{ id: string }>(
        "SELECT id FROM agent WHERE workspace_id = $1 ORDER BY id OFFSET 499 LIMIT 1",
        [operator.workspaceId],
      );
      await server.database.query(
        `WITH lost AS (DELETE FROM agent_command WHERE workspace_id = $1 AND type = 'agent.stop' AND agent_id > $2)
         UPDATE stop SET sent_to = $2, sent = false WHERE workspace_id = $1`,
        [operator.workspaceId, last?.id],
      );
      expect(await counts()).toMatchObject({ total: 1002, confirmed: 0 });
      await next(operator);
      await vi.waitFor(
        async () => expect(await countCommands("agent.stop")).toEqual({ agents: 1002, commands: 1002 }),
        PATIENCE,
      );
      await releaseEmergencyStop(admin, { reason: "Over" });
      expect(await countCommands("agent.resume")).toEqual({ agents: 1001, commands: 1001 });
    },
  );

  async function found(controlState: "active" | "paused" | "stopped") {
    const [agents, robots, { agents: counted, robots: machines }] = await Promise.all([
      listAgents(operator, {}, { controlState }),
      listRobots(operator, {}, { controlState }),
      readOverview(operator, "last_hour"),
    ]);
    return [
      agents.nodes.length,
      robots.nodes.length,
      counted.controlState[controlState] ?? 0,
      machines.controlState[controlState] ?? 0,
    ];
  }

  it("is reflected in filters and counters until it is released", async () => {
    const [paused] = [await online(), await online("robot")];
    await setAgentControlState(operator, { id: paused.agentId, controlState: "paused" });
    const before = [await found("active"), await found("paused"), await found("stopped")];
    expect(before).toEqual([
      [2, 1, 2, 1],
      [1, 0, 1, 0],
      [0, 0, 0, 0],
    ]);
    await emergencyStop(operator, { reason: "Smoke" });
    expect([await found("active"), await found("paused"), await found("stopped")]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [3, 1, 3, 1],
    ]);
    expect(await heartbeatAgent(paused)).toMatchObject({ controlState: "stopped", emergencyStop: true });
    await releaseEmergencyStop(admin, { reason: "Over" });
    expect([await found("active"), await found("paused"), await found("stopped")]).toEqual(before);
  });

  it("changes the versions of affected lists", async () => {
    const versions = async () => {
      const [agents, robots] = [await listAgents(operator, {}), await listRobots(operator, {})];
      return [agents.version, robots.version];
    };
    const [agents = 0n, robots = 0n] = await versions();
    await emergencyStop(operator, { reason: "Smoke" });
    const [stoppedAgents = 0n, stoppedRobots = 0n] = await versions();
    expect([stoppedAgents > agents, stoppedRobots > robots]).toEqual([true, true]);
    await releaseEmergencyStop(admin, { reason: "Over" });
    const [lastAgents = 0n, lastRobots = 0n] = await versions();
    expect([lastAgents > stoppedAgents, lastRobots > stoppedRobots]).toEqual([true, true]);
  });

  it("isn't undone for an agent resumed meanwhile, until the release", async () => {
    const agent = await online();
    await setAgentControlState(operator, { id: agent.agentId, controlState: "paused" });
    await emergencyStop(operator, { reason: "Smoke" });
    await setAgentControlState(operator, { id: agent.agentId, controlState: "active" });
    const types = async () => {
      const commands = await operator.db.agentCommand.findMany({
        where: { agentId: agent.agentId },
        orderBy: { seq: "asc" },
      });
      return commands.map(({ type }) => type);
    };
    expect(await types()).toEqual(["agent.pause", "agent.stop"]);
    await releaseEmergencyStop(admin, { reason: "Over" });
    expect(await types()).toEqual(["agent.pause", "agent.stop", "agent.resume"]);
  });
});
