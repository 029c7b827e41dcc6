import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import {
  type TestSocket,
  EVENTS,
  agentSocket,
  nextFrame,
  personSocket,
  socketToken,
  subscribe,
  tokenSocket,
} from "../support/socket-client.ts";
import { wideEvents } from "../support/wide-events.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

/** Subscribes. @returns "next" if it started, or the error code. */
async function ask(socket: TestSocket, id: string, query: string): Promise<string> {
  socket.send({ type: "subscribe", id, payload: { query } });
  const { type, payload } = await socket.until((message) => message.id === id);
  return type === "error" ? `${payload[0].extensions.code}: ${payload[0].message}` : type;
}

describe("a subscription", () => {
  it("is rejected if a frame is too wide, and the socket stays open", async () => {
    const socket = await agentSocket(url, world.apiKey);
    const wide = "INVALID_REQUEST: The subscription's width is";
    const documents = {
      aliases: wideEvents("a", 480),
      fragments: `subscription { events { ...A ...A ...A } }
        fragment A on Event { ...B ...B ...B ...B ...B ...B } fragment B on Event { a: seq b: seq c: seq d: seq e: seq f: seq }`,
      name: `subscription { events { ... on Event { ${"n".repeat(4000)}: seq } } }`,
      json: `subscription { events { ... on Event { ${"abcdefghijk"
        .split("")
        .map((name) => `${name}: data`)
        .join(" ")} } } }`,
      telemetry: `subscription { robotTelemetry { robots { ${Array.from({ length: 200 }, (_, at) => `a${at}: charging`).join(" ")} } } }`,
    };
    for (const [name, query] of Object.entries(documents)) {
      expect(await ask(socket, name, query), name).toContain(wide);
    }
    expect(await ask(socket, "usual", EVENTS)).toBe("next");
    socket.socket.close();
  });

  it("is rejected if the credential's others are too wide, until one has ended", async () => {
    const { apiKey } = await world.another();
    const socket = await agentSocket(url, apiKey);
    const answers: string[] = [];
    for (let at = 0; at < 6; at++) answers.push(await ask(socket, `s${at}`, wideEvents(`a${at}_`, 90)));
    expect(answers.slice(0, 4)).toEqual(["next", "next", "next", "next"]);
    for (const refused of answers.slice(4)) {
      expect(refused).toBe(
        "RATE_LIMITED: The subscriptions of a credential may have a total width of 400. With this one it would be 455.",
      );
    }
    socket.send({ type: "complete", id: "s0" });
    await expect.poll(() => ask(socket, crypto.randomUUID(), wideEvents("b", 90))).toBe("next");
    const other = await agentSocket(url, apiKey);
    expect(await ask(other, "other", wideEvents("c", 90))).toContain("RATE_LIMITED");
    socket.socket.terminate();
    await expect.poll(() => ask(other, crypto.randomUUID(), wideEvents("c", 90))).toBe("next");
    other.socket.close();
  });

  it("costs nothing if others have the same selection, for any events", async () => {
    const { apiKey } = await world.another();
    const token = await socketToken(url, apiKey);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => tokenSocket(url, token)));
    const answers = await Promise.all(
      sockets.flatMap((socket, one) =>
        Array.from({ length: 20 }, (_, at) =>
          ask(
            socket,
            `${at}`,
            wideEvents("a", 90, `(types: ["task.x_${one}"], subject: "${crypto.randomUUID()}")`),
          ),
        ),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(["next"]));
    for (const { socket } of sockets) socket.close();
  });

  it("of a user starts whatever the workspace's agents use", async () => {
    for (let key = 0; key < 6; key++) {
      const { body } = await world.agent.post("/api/v1/agent_tokens", { name: `Greedy ${key}` });
      const socket = await agentSocket(url, body.token);
      for (let at = 0; at < 4; at++) await ask(socket, `s${at}`, wideEvents(`k${key}a${at}_`, 90));
    }
    const agent = await agentSocket(url, world.apiKey);
    expect(await ask(agent, "more", wideEvents("z", 90))).toContain(
      "a workspace may have a total width of 2000",
    );
    const person = await createPerson(world.server, world.workspaceId, { role: "viewer" });
    const socket = await personSocket(url, buildCookie(await beginTestSession(world.server, person)));
    subscribe(socket, "events");
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened" });
    await createTask(world.ctx, { title: "For the person" });
    expect(await nextFrame(socket)).toMatchObject({ __typename: "Event", type: "task.created" });
  });
});

describe("20 subscriptions on each of 20 sockets, each with its own document of maximum width", () => {
  it("don't block the node: most are rejected, and another workspace gets its events in time", async () => {
    const { apiKey, ctx, workspaceId } = await world.another();
    const token = await socketToken(url, apiKey);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => tokenSocket(url, token)));
    const answers = await Promise.all(
      sockets.flatMap((socket, one) =>
        Array.from({ length: 20 }, (_, at) =>
          ask(socket, `${at}`, wideEvents(`s${one}d${at}_`, at % 2 === 0 ? 480 : 90)),
        ),
      ),
    );
    expect(answers.filter((answer) => answer === "next")).toHaveLength(4);
    const neighbour = await world.another();
    const calm = await agentSocket(url, neighbour.apiKey);
    subscribe(calm, "calm");
    await nextFrame(calm);
    for (let made = 0; made < 20; made++) await createTask(ctx, { title: "Seen by many" });
    const task = await createTask(neighbour.ctx, { title: "Seen by one" });
    expect((await nextFrame(calm)).subjectUuid).toBe(task.id);
    const heard = sockets.flatMap(({ messages }) => messages.filter(({ type }) => type === "next"));
    expect(heard.length).toBeGreaterThanOrEqual(4);
    expect(workspaceId).not.toBe(neighbour.workspaceId);
    for (const { socket } of [...sockets, calm]) socket.close();
  });
});
