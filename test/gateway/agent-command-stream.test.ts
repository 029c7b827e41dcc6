import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeyWith } from "../support/callers.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { type TestSocket, agentSocket } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const COMMANDS = `subscription {
  agentCommands {
    __typename
    ... on StreamOpened { cursor }
    ... on AgentCommand { id uuid seq type params status deliveryAttempts }
  }
}`;

const ACK = `mutation ($id: ID!) { ackAgentCommand(input: { id: $id, outcome: ACCEPTED }) { agentCommand { status } } }`;

let world: TestWorld;
let second: TestServer;
let operator: TestClient;
let agent: { id: string; token: string };
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
  operator = world.agent;
  const { body } = await operator.post("/api/v1/agent_tokens", {
    agent: { handle: `a-${crypto.randomUUID()}` },
  });
  agent = { id: body.agent_id, token: body.token };
});

afterEach(() => {
  for (const { socket } of sockets) socket.terminate();
  sockets = [];
});

async function openSubscribed(url: string, token = agent.token): Promise<TestSocket> {
  const socket = await agentSocket(url, token);
  sockets.push(socket);
  socket.send({ type: "subscribe", id: "commands", payload: { query: COMMANDS } });
  return socket;
}

async function nextFrame(socket: TestSocket) {
  const { type, payload } = await socket.next();
  if (type !== "next") throw new Error(`${type} came: ${JSON.stringify(payload)}`);
  return payload.data.agentCommands;
}

async function issue(type: string, more: object = {}): Promise<string> {
  const { body } = await operator.post("/api/v1/operator/agent_commands", {
    agent_id: agent.id,
    type,
    ...more,
  });
  return body.agent_commands[0].id;
}

async function readStatus(id: string): Promise<string> {
  return (await operator.get(`/api/v1/agent_commands/${id}`)).body.agent_command.status;
}

describe("subscription agentCommands", () => {
  it.each(["the same node", "another node"])("pushes a command issued on %s", async (where) => {
    const socket = await openSubscribed(where === "another node" ? second.url : world.server.url);
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened", cursor: expect.any(String) });
    const id = await issue("custom.turn", { params: { by: 90 } });
    const frame = await nextFrame(socket);
    expect(frame).toEqual({
      __typename: "AgentCommand",
      id: expect.any(String),
      uuid: id,
      seq: 1,
      type: "custom.turn",
      params: { by: 90 },
      status: "DELIVERED",
      deliveryAttempts: 1,
    });
    socket.send({ type: "subscribe", id: "ack", payload: { query: ACK, variables: { id: frame.id } } });
    const { payload } = await socket.until(({ type, id: of }) => type === "next" && of === "ack");
    expect(payload).toEqual({ data: { ackAgentCommand: { agentCommand: { status: "ACKNOWLEDGED" } } } });
    expect(await readStatus(id)).toBe("acknowledged");
  });

  it("redelivers only unacknowledged commands after a reconnect", async () => {
    const first = await openSubscribed(world.server.url);
    const [done, open] = [await issue("agent.stop", { priority: "urgent" }), await issue("custom.turn")];
    await first.until(({ payload }) => payload?.data?.agentCommands?.uuid === open);
    await createTestClient(world.server.url, agent.token).post(`/api/v1/agent_commands/${done}/ack`, {
      outcome: "accepted",
    });
    first.socket.terminate();
    await first.closed;
    const again = await openSubscribed(second.url);
    await nextFrame(again);
    expect(await nextFrame(again)).toMatchObject({ uuid: open, deliveryAttempts: 2 });
    const urgent = await issue("agent.stop", { priority: "urgent" });
    expect(await nextFrame(again)).toMatchObject({ uuid: urgent });
  });

  it("delivers nothing after it was completed", async () => {
    const socket = await openSubscribed(world.server.url);
    await nextFrame(socket);
    socket.send({ type: "complete", id: "commands" });
    // A later response means that the earlier message was processed.
    socket.send({ type: "subscribe", id: "x", payload: { query: "{ viewer { scopes } }" } });
    await socket.until(({ type, id }) => type === "complete" && id === "x");
    const id = await issue("custom.turn");
    expect(
      (await createTestClient(world.server.url, agent.token).get("/api/v1/agent_commands/next")).status,
    ).toBe(200);
    expect(await readStatus(id)).toBe("delivered");
    expect(socket.messages.filter(({ payload }) => payload?.data?.agentCommands?.uuid === id)).toEqual([]);
  });

  it("rejects a credential without the scope", async () => {
    const token = await createKeyWith(world.server, world.workspaceId, ["agent_commands:ack"]);
    const socket = await openSubscribed(world.server.url, token);
    const { payload } = await socket.next();
    expect(payload.errors[0].extensions.code).toBe("INSUFFICIENT_SCOPE");
  });
});
