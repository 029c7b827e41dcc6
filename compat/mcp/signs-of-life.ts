import type { EventStream } from "./method.ts";
import { MOST_ID_CHARACTERS } from "./read-message.ts";

/** Clients and proxies take longer silence for the end of a connection. */
export const SIGN_EVERY_MS = 10_000;

/**
 * Creates a function that shows a sign of life: progress if the caller asked for it. A client that has not taken the
 * last one gets none.
 *
 * @param token the caller's, for progress. One that is longer than an id is none.
 */
export function createSigns(token: unknown, { send, untilRead }: EventStream): () => void {
  const message = createMessage(token);
  let seconds = 0;
  let isUnread = false;
  function take(): void {
    isUnread = false;
  }
  return () => {
    seconds += SIGN_EVERY_MS / 1000;
    if (isUnread) return;
    isUnread = true;
    send(message(seconds));
    untilRead().then(take, take);
  };
}

function createMessage(token: unknown): (seconds: number) => object | null {
  const isToken =
    typeof token === "number" || (typeof token === "string" && token.length <= MOST_ID_CHARACTERS);
  if (!isToken) return () => null;
  return (seconds) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: token, progress: seconds, message: "Still waiting." },
  });
}
