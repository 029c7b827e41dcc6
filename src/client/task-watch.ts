import { followEvents } from "./events.ts";
import type { Send } from "./request.ts";
import { wait } from "./wait.ts";

/** What takes less ends before anybody could cancel it: it is not worth a request. */
const WATCHED_AFTER_MS = 1000;

/**
 * Watches a task until the signal is given, and calls `changed` when something has become of it, once at the
 * beginning too. Ends early where events can't be had, as without their scope: heartbeats tell of a cancel as well.
 */
export async function watchTask(
  send: Send,
  { id, signal }: { id: string; signal: AbortSignal },
  changed: () => Promise<void>,
): Promise<void> {
  await wait(WATCHED_AFTER_MS, signal);
  try {
    let isFirst = true;
    for await (const { kind } of followEvents(send, { subject: id, types: ["task.*"], signal })) {
      if (signal.aborted) return;
      if (isFirst || kind !== "checkpoint") await changed();
      isFirst = false;
    }
  } catch {
    // Whatever ends the work as well is met by the heartbeats.
  }
}
