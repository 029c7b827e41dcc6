import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { CLIENT, ask } from "../support/ask-proxy.ts";
import { CADDY, NGINX } from "../support/proxy-programs.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const TRUSTED = { TRUSTED_PROXIES: "127.0.0.1" };
let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld(TRUSTED);
  second = await startOn(world.server.database, TRUSTED);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

function listServers(): string[] {
  return [world.server.url, second.url].map((url) => new URL(url).host);
}

function authorize(): Record<string, string> {
  return { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" };
}

async function createTask(url: string): Promise<string> {
  const body = JSON.stringify({ title: "By way of a proxy" });
  const answer = await ask(`${url}/api/v1/tasks`, { method: "POST", headers: authorize(), body });
  expect(answer.status).toBe(201);
  return answer.body.task.id;
}

/** The addresses from which requests to this path have come, as the servers log them. */
function findAddresses(path: string): string[] {
  return [...world.server.logged, ...second.logged]
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === "request" && line.path === path)
    .map(({ ip }) => ip);
}

describe.each([NGINX, CADDY])("the recipe for $name", (program) => {
  it.skipIf(!program.isInstalled())(
    "passes on requests with their clients' addresses, whatever these claim",
    async () => {
      const url = await program.start(listServers());
      const path = `/api/v1/tasks/${await createTask(url)}`;
      await ask(url + path, { headers: { ...authorize(), "x-forwarded-for": "203.0.113.9" } });
      expect(findAddresses(path)).toEqual([CLIENT]);
    },
  );

  it.skipIf(!program.isInstalled())("passes on sockets, and answers that are held", async () => {
    const url = await program.start(listServers());
    const { body: page } = await ask(`${url}/api/v1/events`, { headers: authorize() });
    const held = ask(`${url}/api/v1/events?wait=25&after=${page.next_after}`, { headers: authorize() });
    const events = await followEvents(url);
    const id = await createTask(url);
    expect((await held).body.events).toEqual([expect.objectContaining({ subject_id: id })]);
    await expect.poll(() => events).toEqual([{ __typename: "Event", type: "task.created", subjectUuid: id }]);
  });

  it.skipIf(!program.isInstalled())("passes over a server that has stopped", async () => {
    const third = await startOn(world.server.database, TRUSTED);
    const url = await program.start([new URL(third.url).host, new URL(second.url).host]);
    await third.stop();
    for (let request = 0; request < 10; request++)
      expect((await ask(`${url}/api/v1/whoami`, { headers: authorize() })).status).toBe(200);
  });
});

describe("the recipe for caddy, which asks servers whether they are ready", () => {
  it.skipIf(!CADDY.isInstalled())("loses no request while a server stops", async () => {
    const third = await startOn(world.server.database, TRUSTED);
    const url = await CADDY.start([new URL(third.url).host, new URL(second.url).host]);
    const state = { isStopped: false };
    const stopping = third.stop().then(() => void (state.isStopped = true));
    const statuses = new Map<number, number>();
    async function send(): Promise<void> {
      const body = JSON.stringify({ title: "During a restart" });
      while (!state.isStopped) {
        const { status } = await ask(`${url}/api/v1/tasks`, { method: "POST", headers: authorize(), body });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    await Promise.all([stopping, ...Array.from({ length: 8 }, send)]);
    expect([...statuses.keys()]).toEqual([201]);
    expect(third.logged.filter((line) => line.includes('"POST"')).length).toBeGreaterThan(8);
  });
});

/** Follows events by a socket. Resolves when the subscription is open. @returns a list to which events are added. */
async function followEvents(url: string): Promise<object[]> {
  const minted = await ask(`${url}/api/v1/socket_tokens`, { method: "POST", headers: authorize() });
  const socket = new WebSocket(`${url.replace("https", "wss")}/graphql`, ["graphql-transport-ws"], {
    ...{ rejectUnauthorized: false, localAddress: CLIENT, family: 4 },
  });
  const query = "subscription { events { __typename ... on Event { type subjectUuid } } }";
  const events: object[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.on("open", () => {
      onTestFinished(() => socket.terminate());
      socket.send(JSON.stringify({ type: "connection_init", payload: { token: minted.body.token } }));
    });
    socket.on("message", (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString());
      if (type === "connection_ack")
        socket.send(JSON.stringify({ id: "events", type: "subscribe", payload: { query } }));
      if (type !== "next") return;
      const { events: frame } = payload.data;
      if (frame.__typename === "StreamOpened") resolve();
      else if (frame.__typename === "Event") events.push(frame);
    });
  });
  return events;
}
