import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { insertRoster } from "../../src/demo/insert-roster.ts";
import { prepareDemo } from "../../src/demo/prepare-demo.ts";
import { carryOutCommand } from "../../src/demo/simulator/attend.ts";
import { openDemoAgent } from "../../src/demo/simulator/demo-agent.ts";
import { simulateRobots, startSimulator } from "../../src/demo/simulator/start-simulator.ts";
import { cancelAgentCommand } from "../../src/domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../src/domain/agent-commands/issue-agent-commands.ts";
import { nextAgentCommands } from "../../src/domain/agent-commands/next-agent-commands.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../src/domain/stops/release-stop.ts";
import { writeHeldReports } from "../../src/domain/robots/held-reports.ts";
import { readStopStates } from "../../src/domain/stops/read-stop-states.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let dataDir: string;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-pulse-"));
  ({ workspaceId } = await prepareDemo(server.services, dataDir));
  await insertRoster(server.systemCtx(workspaceId));
});

afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

async function readRobot(handle: string) {
  const { db } = server.systemCtx(workspaceId);
  const { robot, ...agent } = await db.agent.findFirstOrThrow({
    where: { handle },
    include: { robot: true },
  });
  if (robot === null) throw new Error(`${handle} is no robot`);
  return { agent, robot };
}

async function tickAt(at: Date): Promise<void> {
  await simulateRobots(server.services, workspaceId, at);
  await writeHeldReports(server.services);
}

/** A time at which every robot is moving. */
function later(seconds: number): Date {
  return new Date(Math.ceil(Date.now() / 60_000) * 60_000 + seconds * 1000);
}

describe("simulateRobots", () => {
  it("lets robots drive and charge, and keeps the fixtures' states", async () => {
    const before = await readRobot("amr-01");
    const charging = await readRobot("amr-03");
    await tickAt(later(5));
    const { robot: there } = await readRobot("amr-01");
    await tickAt(later(15));
    const { robot } = await readRobot("amr-01");
    expect(robot).toMatchObject({ status: "executing", driving: true });
    expect(robot.position).not.toEqual(there.position);
    expect(robot.batteryPercent).toBeLessThan(before.robot.batteryPercent ?? 0);
    expect((await readRobot("amr-03")).robot).toMatchObject({ status: "charging" });
    expect((await readRobot("amr-03")).robot.batteryPercent).toBeGreaterThan(
      charging.robot.batteryPercent ?? 100,
    );
    const statuses = { "amr-05": "error", "amr-07": "paused" };
    for (const [handle, status] of Object.entries(statuses)) {
      expect((await readRobot(handle)).robot, handle).toMatchObject({ status });
    }
  });

  it("keeps offline agents silent, and records the others as seen", async () => {
    const { robot } = await readRobot("amr-08");
    await tickAt(later(25));
    expect((await readRobot("amr-08")).robot.stateSeq).toBe(robot.stateSeq);
    const { agent } = await readRobot("amr-01");
    expect(Date.now() - (agent.lastSeenAt?.getTime() ?? 0)).toBeLessThan(30_000);
  });

  it("charges robots with a low battery until full, and stops paused ones", async () => {
    const { robot, agent } = await readRobot("scout-01");
    const { db } = server.systemCtx(workspaceId);
    await db.robot.updateMany({ where: { id: robot.id }, data: { batteryPercent: 20 } });
    await tickAt(later(35));
    expect((await readRobot("scout-01")).robot).toMatchObject({ status: "charging", batteryPercent: 20.5 });
    await db.robot.updateMany({ where: { id: robot.id }, data: { batteryPercent: 96 } });
    await tickAt(later(45));
    expect((await readRobot("scout-01")).robot).toMatchObject({ status: "executing" });
    await db.agent.updateMany({ where: { id: agent.id }, data: { controlState: "paused" } });
    await tickAt(later(55));
    expect((await readRobot("scout-01")).robot).toMatchObject({ status: "paused", driving: false });
  });
});

describe("an emergency stop", () => {
  it("stops every robot with confirmations, and starts nothing until it is released", async () => {
    const ctx = server.systemCtx(workspaceId);
    await tickAt(later(65));
    expect((await readRobot("amr-01")).robot.driving).toBe(true);
    await emergencyStop(ctx, { reason: "Smoke" });
    await tickAt(later(75));
    const halted = await ctx.db.robot.findMany({ orderBy: { id: "asc" } });
    expect(halted.filter(({ driving }) => driving)).toEqual([]);
    const missions = await ctx.db.mission.count();
    for (const seconds of [85, 120, 180]) await tickAt(later(seconds));
    const still = await ctx.db.robot.findMany({ orderBy: { id: "asc" } });
    expect(still.map(({ position }) => position)).toEqual(halted.map(({ position }) => position));
    expect(await ctx.db.mission.count()).toBe(missions);
    const robots = await ctx.db.agent.findMany({ where: { kind: "robot" }, select: { id: true } });
    const states = await readStopStates(
      ctx,
      robots.map(({ id }) => id),
    );
    const { agent: silent } = await readRobot("amr-08");
    for (const [id, state] of states) expect(state).toBe(id === silent.id ? "unreachable" : "confirmed");
    await releaseEmergencyStop(ctx, { reason: "All clear" });
    await tickAt(later(185));
    expect((await readRobot("amr-01")).robot.driving).toBe(true);
  });
});

describe("carryOutCommand", () => {
  it("continues if the command was withdrawn after its delivery", async () => {
    const ctx = server.systemCtx(workspaceId);
    const { agent } = await readRobot("amr-04");
    const agentCtx = openDemoAgent(ctx, agent);
    const order = { agentId: agent.id, type: "custom.lift", priority: "urgent" } as const;
    const id = (await issueAgentCommands(ctx, order)).commands[0]?.id ?? "";
    // Others may be left from the tests before.
    const delivered = await nextAgentCommands(agentCtx, { limit: 20 });
    expect(delivered).toContainEqual(expect.objectContaining({ id, status: "delivered" }));
    await cancelAgentCommand(ctx, { id });
    await carryOutCommand(agentCtx, { id });
    expect(await ctx.db.agentCommand.findFirst({ where: { id } })).toMatchObject({ status: "canceled" });
  });
});

describe("startSimulator", () => {
  it("runs until the signal is aborted, and survives errors", async () => {
    const { robot } = await readRobot("amr-02");
    await server
      .systemCtx(workspaceId)
      .db.robot.updateMany({ where: { id: robot.id }, data: { status: "offline" } });
    const stop = new AbortController();
    const simulator = startSimulator(server.services, workspaceId, stop.signal);
    await vi.waitFor(async () => expect((await readRobot("amr-02")).robot.status).toBe("executing"), 10_000);
    stop.abort();
    await simulator;
    const failing = new AbortController();
    const unknown = startSimulator(server.services, "no workspace", failing.signal);
    await vi.waitFor(() => expect(server.logged.join("")).toContain("a tick of the demo's simulator failed"));
    failing.abort();
    await unknown;
  });
});
