import type { Message, SendMessageRequest, StreamResponse, Task } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { Role } from "@a2a-js/sdk";
import { expect } from "vitest";
import { mintAgent } from "./mcp.ts";
import type { SentRequest, TestAnswer, TestClient } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
export type Binding = (typeof BINDINGS)[number];

/** The scopes of an agent that sends tasks, reads them and talks about them. */
export const PEER_SCOPES = ["tasks:read", "tasks:write", "messages:read", "messages:write"];

/** An agent of somebody else, with the official client. */
export type Peer = { client: Client; id: string; tokenId: string; bearer: string; plain: TestClient };

/** Mints a token for a peer, and creates its client from the server's card. */
export async function createPeer(
  world: TestWorld,
  binding: Binding,
  scopes: string[] = PEER_SCOPES,
): Promise<Peer> {
  const { id, tokenId, bearer, client: plain } = await mintAgent(world, scopes);
  return { id, tokenId, bearer, plain, client: await connect(world.server.url, binding, bearer) };
}

/** Creates the official client from a server's card. The URLs in it are those of the server. */
export async function connect(url: string, binding: Binding, bearer: string): Promise<Client> {
  function fetchImpl(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", bearer);
    return fetch(target, { ...init, headers });
  }
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({ transports, preferredTransports: [binding] });
  const client = await factory.createFromUrl(url);
  expect(client.transport.protocolName).toBe(binding);
  return client;
}

/** A text for an agent. */
export function say(text: string, fields: Partial<Message> = {}): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...fields,
  };
}

/** A request with a message for a queue. It is not waited for, unless `waits`. */
export function request(
  message: Message,
  { queue, waits = false, historyLength }: { queue?: string; waits?: boolean; historyLength?: number } = {},
): SendMessageRequest {
  return {
    tenant: "",
    message,
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      historyLength,
      returnImmediately: !waits,
    },
    metadata: queue === undefined ? undefined : { "agent-ops/queue": queue },
  };
}

/** Sends a message, which gives a task. */
export async function sendTask(client: Client, sent: SendMessageRequest): Promise<Task> {
  const result = await client.sendMessage(sent);
  if (!("status" in result)) throw new Error("a message, not a task");
  return result;
}

/** The name of a queue that nobody else uses. */
export function newQueue(): string {
  return `q-${crypto.randomUUID()}`;
}

/** The kinds of the messages of a stream, which has ended. */
export async function readAll(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse["payload"][]> {
  const read: StreamResponse["payload"][] = [];
  for await (const { payload } of stream) read.push(payload);
  return read;
}

/** The next message of a stream. */
export async function readNext(
  stream: AsyncIterator<StreamResponse>,
): Promise<NonNullable<StreamResponse["payload"]> | null> {
  const { value, done } = await stream.next();
  return done === true ? null : (value.payload ?? null);
}

/** Plain requests of both bindings. */
export type Wire = {
  rpc: (method: string, params?: unknown) => Promise<TestAnswer>;
  http: Pick<TestClient, "get" | "post" | "send">;
};

export const VERSION = { "a2a-version": "1.0" };

export function createWire(client: TestClient): Wire {
  function send(path: string, { headers, ...sent }: SentRequest): Promise<TestAnswer> {
    return client.send(`/a2a/v1${path}`, { ...sent, headers: { ...VERSION, ...headers } });
  }
  return {
    rpc: (method, params) => client.post("/a2a", { jsonrpc: "2.0", id: 1, method, params }, VERSION),
    http: {
      send,
      get: (path, headers = {}) => send(path, { headers }),
      post: (path, body, headers = {}) => send(path, { method: "POST", body, headers }),
    },
  };
}
