import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertRoster } from "../../src/demo/insert-roster.ts";
import { prepareDemo } from "../../src/demo/prepare-demo.ts";
import { simulateRobots } from "../../src/demo/simulator/start-simulator.ts";
import { cancelMission } from "../../src/domain/missions/cancel-mission.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

const MINUTE_MS = 60_000;
/** Steps take half a minute. */
const TICK_MS = 40_000;

let quiet: QuietServices;
let dataDir: string;
let workspaceId: string;
let atMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;

beforeAll(async () => {
  quiet = await openQuietServices();
  dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-errands-"));
  ({ workspaceId } = await prepareDemo(quiet.services, dataDir));
  await insertRoster(quiet.systemCtx(workspaceId));
});

afterAll(async () => {
  await quiet.close();
  await rm(dataDir, { recursive: true });
});

async function missions() {
  return quiet.systemCtx(workspaceId).db.mission.findMany({ orderBy: { createdAt: "asc" } });
}

/** Runs the simulator at the next full minute, which creates a mission. */
async function sendOut() {
  atMs = Math.ceil((atMs + 1) / MINUTE_MS) * MINUTE_MS;
  await simulateRobots(quiet.services, workspaceId, new Date(atMs));
  const mission = (await missions()).at(-1);
  if (mission === undefined) throw new Error("no errand");
  return mission;
}

/** Runs the simulator, never at a full minute. */
async function tickLater(): Promise<void> {
  atMs += TICK_MS;
  if (atMs % MINUTE_MS < 10_000) atMs += 10_000;
  await simulateRobots(quiet.services, workspaceId, new Date(atMs));
}

describe("the demo's robots", () => {
  it("get missions by commands, and complete them step by step", async () => {
    const { id, status, robotId } = await sendOut();
    expect(status).toBe("assigned");
    const { db } = quiet.systemCtx(workspaceId);
    await db.robot.updateMany({
      where: { id: robotId ?? "" },
      data: { batteryPercent: 90, charging: false },
    });
    const seen: number[] = [];
    for (let count = 0; count < 8; count++) {
      await tickLater();
      const mission = (await missions()).find((one) => one.id === id);
      seen.push(mission?.progress ?? -1);
      if (mission?.status === "completed") break;
    }
    expect(seen.at(-1)).toBe(1);
    expect(seen.length).toBeGreaterThan(3);
    const [start] = await db.agentCommand.findMany({ where: { missionId: id } });
    expect(start).toMatchObject({ type: "mission.start", status: "succeeded" });
  });

  it("stop on command", async () => {
    const { id, robotId } = await sendOut();
    const { db } = quiet.systemCtx(workspaceId);
    await db.robot.updateMany({
      where: { id: robotId ?? "" },
      data: { batteryPercent: 90, charging: false },
    });
    await tickLater();
    await cancelMission(quiet.systemCtx(workspaceId), { id });
    await tickLater();
    expect((await missions()).find((one) => one.id === id)?.status).toBe("canceled");
  });

  it("get no new mission while three are waiting", async () => {
    const { db } = quiet.systemCtx(workspaceId);
    await db.robot.updateMany({ data: { acceptsMissions: false } });
    const before = (await missions()).length;
    for (let count = 0; count < 5; count++) await sendOut();
    expect((await missions()).length).toBe(before + 3);
  });
});
