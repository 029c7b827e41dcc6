import { LEAST_BYTES } from "../http/body-turns.ts";

/** Handles the messages of a socket in their order. */
export type MessageQueue = (bytes: number, handle: () => void) => void;

/** Small messages are handled at once; large ones, and those behind them, when the event loop has time for them. */
export function createMessageQueue(takeTurn: (bytes: number) => Promise<void>): MessageQueue {
  let last: Promise<void> | null = null;

  async function handleAfter(before: Promise<void> | null, bytes: number, handle: () => void): Promise<void> {
    await before;
    await takeTurn(bytes);
    handle();
  }

  return (bytes, handle) => {
    if (last === null && bytes <= LEAST_BYTES) return handle();
    const mine = handleAfter(last, bytes, handle).finally(() => {
      if (last === mine) last = null;
    });
    last = mine;
  };
}
