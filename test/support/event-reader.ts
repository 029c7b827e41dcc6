import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type TestSocket, EVENTS, connectSocket, socketToken } from "./socket-client.ts";

/** A client that follows events across reconnects with its cursor. */
export type EventReader = {
  /** The numbers of received events, in order. */
  seqs: number[];
  /** Frames that reported a gap. */
  resets: string[];
  /** Closes the connection like a broken network, and reconnects to a random node. */
  cut: () => void;
  /** Waits until it has received an event. */
  reached: (seq: number) => Promise<void>;
  stop: () => void;
};

/** Where a reader connects, and as whom. */
export type ReaderInput = { nodes: () => string; token: () => Promise<string>; after: string | null };

const RECONNECT_MS = 20;

/** Starts to follow events until the test ends. Resolves when the first connection is subscribed. */
export async function startReader({ nodes, token, after }: ReaderInput): Promise<EventReader> {
  const seqs: number[] = [];
  const resets: string[] = [];
  const looks = new Set<() => void>();
  let cursor = after;
  let current: TestSocket | null = null;
  const stop = new AbortController();

  async function follow(subscribed: () => void): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const socket = await connectSocket(nodes(), { init: { token: await token() } });
        current = socket;
        socket.socket.on("message", (data: Buffer) => take(JSON.parse(data.toString())));
        await socket.until(({ type }) => type === "connection_ack");
        socket.send({
          type: "subscribe",
          id: "events",
          payload: { query: EVENTS, variables: { after: cursor } },
        });
        await socket.until(({ type }) => type === "next");
        subscribed();
        if (stop.signal.aborted) socket.socket.terminate();
        await socket.closed;
      } catch {
        // The node is gone, or accepts no one at the moment. Asking again at once would only make it busier.
        await setTimeout(RECONNECT_MS);
      }
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a message of the protocol
  function take({ type, payload }: any): void {
    if (type !== "next") return;
    // The node can't read the database at the moment, so the reader reconnects.
    if (!payload.data) {
      current?.socket.terminate();
      return;
    }
    const { __typename, seq, reason, cursor: at } = payload.data.events;
    cursor = at;
    if (__typename === "Event") seqs.push(seq);
    if (__typename === "StreamReset") resets.push(reason);
    for (const look of looks) look();
  }

  function end(): void {
    stop.abort();
    current?.socket.terminate();
  }

  onTestFinished(end);
  await new Promise<void>((resolve) => void follow(resolve));
  return {
    seqs,
    resets,
    cut: () => current?.socket.terminate(),
    reached: (seq) =>
      new Promise((resolve) => {
        function look(): void {
          if ((seqs.at(-1) ?? -1) < seq) return;
          looks.delete(look);
          resolve();
        }
        looks.add(look);
        look();
      }),
    stop: end,
  };
}

/** Reuses one socket token, so that many sockets open with few requests. */
export async function sharedToken(url: string, bearer: string): Promise<() => Promise<string>> {
  const token = await socketToken(url, bearer);
  return async () => token;
}
