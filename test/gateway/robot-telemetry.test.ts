import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createKeyWith } from "../support/callers.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import { type TestRobot, createRobot } from "../support/robots.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { type TestSocket, agentSocket, personSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const TELEMETRY = `subscription ($robotIds: [ID!]) {
  robotTelemetry(robotIds: $robotIds) { robots { robotId robotUuid status batteryPercent position stateSeq } }
}`;

let world: TestWorld;
let second: TestServer;
let robot: TestRobot;
let sockets: TestSocket[] = [];

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

beforeEach(async () => {
  robot = await createRobot(world.server, world.workspaceId);
});

afterEach(() => {
  for (const { socket } of sockets) socket.terminate();
  sockets = [];
});

function subscribe(socket: TestSocket, robotIds?: string[]): TestSocket {
  sockets.push(socket);
  const variables = robotIds === undefined ? {} : { robotIds };
  socket.send({ type: "subscribe", id: "telemetry", payload: { query: TELEMETRY, variables } });
  return socket;
}

async function nextRobots(socket: TestSocket): Promise<Record<string, unknown>[]> {
  const { type, payload } = await socket.next();
  if (type !== "next") throw new Error(`${type} came: ${JSON.stringify(payload)}`);
  return payload.data.robotTelemetry.robots;
}

/** Reads frames until one has this position. @returns the positions until then. */
async function placesUntil(socket: TestSocket, stateSeq: number): Promise<unknown[]> {
  const places: unknown[] = [];
  while (places.at(-1) !== stateSeq) {
    const robots = await nextRobots(socket);
    expect(robots).toHaveLength(1);
    places.push(robots[0]?.["stateSeq"]);
  }
  return places;
}

const ids = () => [toGlobalId("Robot", robot.id)];

describe("subscription robotTelemetry", () => {
  it.each(["the same node", "another node"])("delivers reports from %s", async (where) => {
    await robot.report(1, { batteryPercent: 50 });
    const socket = subscribe(await agentSocket(world.server.url, world.apiKey), ids());
    const standing = {
      robotId: ids()[0],
      robotUuid: robot.id,
      status: "IDLE",
      batteryPercent: 50,
      stateSeq: 1,
    };
    expect(await nextRobots(socket)).toMatchObject([standing]);
    const there = where === "another node" ? robot.at(second) : robot;
    await there.report(2, { batteryPercent: 49, position: { x: 1, y: 2 } });
    expect(await nextRobots(socket)).toMatchObject([
      { batteryPercent: 49, position: { x: 1, y: 2 }, stateSeq: 2 },
    ]);
    await there.report(3, { emergencyStop: "manual" });
    expect(await nextRobots(socket)).toMatchObject([{ status: "ERROR", stateSeq: 3 }]);
  });

  it("sends a frequent robot's state at most once per second, ending with the newest", async () => {
    await robot.report(1);
    const nodes = [robot, robot.at(second)];
    const socket = subscribe(await agentSocket(world.server.url, world.apiKey), ids());
    await nextRobots(socket);
    const startedMs = performance.now();
    for (let seq = 2; seq <= 150; seq++) await nodes[seq % 2]?.report(seq, { batteryPercent: 50 });
    const places = await placesUntil(socket, 150);
    expect(places.length).toBeLessThanOrEqual((performance.now() - startedMs) / 1000 + 1);
    expect(places).toEqual([...places].toSorted((a, b) => Number(a) - Number(b)));
  });

  it("sends the current state and no history", async () => {
    for (let seq = 1; seq <= 5; seq++) await robot.report(seq, { charging: seq % 2 === 0 });
    const socket = subscribe(await agentSocket(world.server.url, world.apiKey), ids());
    expect(await nextRobots(socket)).toMatchObject([{ stateSeq: 5 }]);
    await robot.report(6, { charging: true });
    expect(await nextRobots(socket)).toMatchObject([{ stateSeq: 6, status: "CHARGING" }]);
  });

  it("covers every robot of the workspace by default, and starts without any", async () => {
    const { apiKey, workspaceId } = await world.another();
    const socket = subscribe(await agentSocket(world.server.url, apiKey));
    expect(await nextRobots(socket)).toEqual([]);
    const theirs = await createRobot(world.server, workspaceId);
    await robot.report(1);
    await theirs.report(1);
    expect(await nextRobots(socket)).toMatchObject([{ robotUuid: theirs.id }]);
  });

  it("treats another workspace's robot like an unknown id", async () => {
    const { apiKey, workspaceId } = await world.another();
    const theirs = await createRobot(world.server, workspaceId);
    const asked = [...ids(), toGlobalId("Robot", theirs.id), toGlobalId("Robot", crypto.randomUUID())];
    await robot.report(1);
    const socket = subscribe(await agentSocket(world.server.url, apiKey), asked);
    expect(await nextRobots(socket)).toMatchObject([{ robotUuid: theirs.id }]);
    await robot.report(2, { charging: true });
    await theirs.report(1);
    expect(await nextRobots(socket)).toMatchObject([{ robotUuid: theirs.id, stateSeq: 1 }]);
  });

  it("accepts a user", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const socket = subscribe(await personSocket(world.server.url, cookie), ids());
    expect(await nextRobots(socket)).toMatchObject([{ robotUuid: robot.id, status: "OFFLINE" }]);
  });

  it("is rejected without robots:read, for other ids, and for more than 500", async () => {
    const without = await createKeyWith(world.server, world.workspaceId, ["robots:report"]);
    const refusedBy = async (key: string, robotIds?: string[]) => {
      const { payload } = await subscribe(await agentSocket(world.server.url, key), robotIds).next();
      return payload.errors[0].extensions.code;
    };
    expect(await refusedBy(without)).toBe("INSUFFICIENT_SCOPE");
    expect(await refusedBy(world.apiKey, [toGlobalId("Agent", robot.id)])).toBe("VALIDATION_FAILED");
    expect(
      await refusedBy(
        world.apiKey,
        Array.from({ length: 501 }, () => ids()[0] ?? ""),
      ),
    ).toBe("VALIDATION_FAILED");
  });

  it("ends when it is completed", async () => {
    const socket = subscribe(await agentSocket(world.server.url, world.apiKey), ids());
    await nextRobots(socket);
    socket.send({ type: "complete", id: "telemetry" });
    await robot.report(1);
    socket.send({
      type: "subscribe",
      id: "again",
      payload: { query: TELEMETRY, variables: { robotIds: ids() } },
    });
    const { id, payload } = await socket.next();
    expect(id).toBe("again");
    expect(payload.data.robotTelemetry.robots).toMatchObject([{ stateSeq: 1 }]);
  });
});
