import { WebSocket } from "ws";
import { createTestClient } from "./test-client.ts";

/** A message of graphql-transport-ws. Each test knows its content. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages that only they know
export type SocketMessage = { type: string; id?: string; payload?: any };

/** How a socket was closed. */
export type Closed = { code: number; reason: string };

/** A socket of graphql-transport-ws at message level. */
export type TestSocket = {
  socket: WebSocket;
  /** Every received message, except pings. */
  messages: SocketMessage[];
  send: (message: SocketMessage | string) => void;
  /** Waits for the next message. */
  next: () => Promise<SocketMessage>;
  /** Waits until any message matches. */
  until: (isSuch: (message: SocketMessage) => boolean) => Promise<SocketMessage>;
  closed: Promise<Closed>;
};

/** Options of a socket. */
export type Opening = { headers?: Record<string, string>; protocol?: string; path?: string };

/** Opens a socket. Rejects with the status if the upgrade is rejected. */
export async function openSocket(url: string, opening: Opening = {}): Promise<TestSocket> {
  const address = url.replace("http", "ws") + (opening.path ?? "/graphql");
  const protocols = [opening.protocol ?? "graphql-transport-ws"].filter((protocol) => protocol !== "");
  const socket = new WebSocket(address, protocols, {
    headers: opening.headers ?? {},
  });
  const messages: SocketMessage[] = [];
  const looks = new Set<() => void>();
  let given = 0;
  let end: Closed | null = null;
  socket.on("message", (data: Buffer) => {
    const message: SocketMessage = JSON.parse(data.toString());
    if (message.type === "ping") return;
    messages.push(message);
    for (const look of looks) look();
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.once("close", (code, reason) => {
      end = { code, reason: String(reason) };
      resolve(end);
      for (const look of looks) look();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("unexpected-response", (_request, response) => {
      reject(
        Object.assign(new Error(`refused with ${response.statusCode}`), { status: response.statusCode }),
      );
    });
    socket.once("error", reject);
  });
  socket.on("error", () => {});

  async function until(isSuch: (message: SocketMessage) => boolean): Promise<SocketMessage> {
    for (;;) {
      const found = messages.find(isSuch);
      if (found !== undefined) return found;
      await news();
    }
  }

  /** Waits for the next message. Rejects if there can't be another. */
  function news(): Promise<void> {
    return new Promise((resolve, reject) => {
      function look(): void {
        looks.delete(look);
        if (end === null) resolve();
        else reject(new Error(`the socket was closed with ${end.code} ${end.reason}`));
      }
      looks.add(look);
      if (end !== null) look();
    });
  }

  return {
    socket,
    messages,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    until,
    next: async () => {
      while (messages.length <= given) await news();
      const message = messages[given++];
      if (message === undefined) throw new Error("no message");
      return message;
    },
  };
}

/** Opens a socket and starts the protocol. */
export async function connectSocket(
  url: string,
  { init, ...opening }: Opening & { init?: Record<string, unknown> } = {},
): Promise<TestSocket> {
  const socket = await openSocket(url, opening);
  socket.send({ type: "connection_init", ...(init !== undefined && { payload: init }) });
  return socket;
}

/** Mints a socket token. @throws if rejected. */
export async function socketToken(url: string, bearer: string, asked: object = {}): Promise<string> {
  const { status, text, body } = await createTestClient(url, bearer).post("/api/v1/socket_tokens", asked);
  if (status !== 201) throw new Error(`a socket token was refused with ${status} ${text}`);
  return body.token;
}

/** Opens an agent's socket and waits until it is accepted. */
export async function agentSocket(url: string, bearer: string): Promise<TestSocket> {
  return tokenSocket(url, await socketToken(url, bearer));
}

/** Opens a socket with a reusable socket token and waits until it is accepted. */
export async function tokenSocket(url: string, token: string): Promise<TestSocket> {
  const socket = await connectSocket(url, { init: { token } });
  await acknowledged(socket);
  return socket;
}

/** Opens a user's socket and waits until it is accepted. */
export async function personSocket(url: string, cookie: string): Promise<TestSocket> {
  const socket = await connectSocket(url, { headers: { cookie } });
  await acknowledged(socket);
  return socket;
}

/** Waits until a socket is accepted. */
export async function acknowledged(socket: TestSocket): Promise<void> {
  const { type } = await socket.next();
  if (type !== "connection_ack") throw new Error(`${type} came first`);
}

/** All fields of events, as a client might select them. */
export const EVENTS = `subscription ($after: Cursor, $types: [String!], $subject: ID) {
  events(after: $after, types: $types, subject: $subject) {
    __typename
    ... on StreamOpened { cursor live }
    ... on Event { cursor seq id type subjectUuid data }
    ... on StreamCheckpoint { cursor }
    ... on StreamReset { cursor reason }
  }
}`;

/** Subscribes to events. */
export function subscribe(socket: TestSocket, id: string, variables: Record<string, unknown> = {}): void {
  socket.send({ type: "subscribe", id, payload: { query: EVENTS, variables } });
}

/** Waits for the next frame of a stream. */
export async function nextFrame(socket: TestSocket) {
  const { type, payload } = await socket.next();
  if (type !== "next") throw new Error(`${type} came instead of a frame: ${JSON.stringify(payload)}`);
  return payload.data.events;
}
