import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { lockTable } from "../support/locked-table.ts";
import { agentSocket, nextFrame, subscribe } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

/** Waits until this many event subscriptions are active on the node. */
async function waitUntilFollowed(count: number): Promise<void> {
  const { subscriptions } = world.server.services.live.metrics;
  await expect.poll(async () => (await subscriptions.get()).values[0]?.value, { timeout: 5000 }).toBe(count);
}

describe("a selection of fields that events don't have", () => {
  it.each([
    "subscription { events { ... on Event { cursor subjectLabel } } }",
    "subscription { events { ...E } } fragment E on Event { agentName }",
  ])("is rejected at the start: %s", async (query) => {
    const greedy = await agentSocket(url, world.apiKey);
    greedy.send({ type: "subscribe", id: "greedy", payload: { query } });
    const answer = await greedy.next();
    const calm = await agentSocket(url, world.apiKey);
    subscribe(calm, "calm", { types: ["task.*"] });
    await nextFrame(calm);
    const task = await createTask(world.ctx, { title: "For the calm" });
    expect((await nextFrame(calm)).subjectUuid).toBe(task.id);
    expect(answer).toMatchObject({ type: "error", payload: [{ extensions: { code: "INVALID_REQUEST" } }] });
    greedy.socket.close();
    calm.socket.close();
  });
});

describe("the id of an operation", () => {
  it("is in use until the operation has ended, even if it was completed", async () => {
    const socket = await agentSocket(url, world.apiKey);
    const missions = await lockTable(world.server.database, "mission");
    const query = "{ missions(first: 1) { nodes { id } } }";
    socket.send({ type: "subscribe", id: "same", payload: { query } });
    await missions.waiters(1);
    socket.send({ type: "complete", id: "same" });
    subscribe(socket, "same");
    expect(await socket.next()).toMatchObject({
      ...{ type: "error", id: "same" },
      payload: [{ extensions: { code: "INVALID_REQUEST" } }],
    });
    subscribe(socket, "other");
    await nextFrame(socket);
    await waitUntilFollowed(1);
    await missions.release();
    await expect
      .poll(
        async () => {
          subscribe(socket, "same");
          let answer = await socket.next();
          while (answer.id !== "same") answer = await socket.next();
          return answer.type;
        },
        { timeout: 10_000 },
      )
      .toBe("next");
    await waitUntilFollowed(2);
    socket.socket.close();
    await waitUntilFollowed(0);
  });

  it("that is in use closes the socket, however long the id", async () => {
    const socket = await agentSocket(url, world.apiKey);
    const id = "ü".repeat(200);
    subscribe(socket, id);
    await nextFrame(socket);
    subscribe(socket, id);
    expect((await socket.closed).code).toBe(4409);
  });
});

describe("a stream that fails", () => {
  it("hides the reason and logs it", async () => {
    const { query } = world.server.database;
    const socket = await agentSocket(url, world.apiKey);
    await query("ALTER TABLE robot RENAME TO robot_away");
    socket.send({
      ...{ type: "subscribe", id: "robots" },
      payload: { query: "subscription { robotTelemetry { robots { robotUuid } } }" },
    });
    const answer = await socket.next();
    await query("ALTER TABLE robot_away RENAME TO robot");
    expect(answer).toEqual({
      ...{ type: "error", id: "robots" },
      payload: [{ message: "Something went wrong on our side.", extensions: { code: "INTERNAL" } }],
    });
    expect(world.server.logged.some((line) => line.includes('"level":50') && line.includes("robot"))).toBe(
      true,
    );
    socket.socket.close();
  });
});
