import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import type { HttpEnv } from "./request.ts";

/** The body of an event stream, while it is written. */
export type EventWriter = {
  /** Sends the text of an event. */
  write: (event: string) => void;
  /** Waits until the client has taken what was sent before. */
  untilRead: () => Promise<void>;
};

/** A comment, which readers ignore. */
export const SIGN_OF_LIFE = ":\n\n";

/**
 * Formats an event of server-sent events. JSON has no line breaks.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function formatEvent(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Answers with an event stream, which begins at once and ends when `produce` does. */
export function answerEvents<Env extends HttpEnv>(
  c: Context<Env>,
  produce: (writer: EventWriter) => Promise<void>,
): Response {
  const { outgoing } = c.env;
  const encoder = new TextEncoder();
  let isOpen = true;
  let readers: (() => void)[] = [];
  function tellReaders(): void {
    for (const tell of readers) tell();
    readers = [];
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      function write(event: string): void {
        if (isOpen) controller.enqueue(encoder.encode(event));
      }
      async function untilRead(): Promise<void> {
        if (isOpen && (controller.desiredSize ?? 0) <= 0) {
          await new Promise<void>((resolve) => readers.push(resolve));
        }
        if (isOpen) await untilDrained(outgoing);
      }
      write(SIGN_OF_LIFE);
      // Nobody waits for it: `pull` is called from now on.
      produce({ write, untilRead }).then(
        () => isOpen && controller.close(),
        (error: unknown) => controller.error(error),
      );
    },
    pull: tellReaders,
    cancel() {
      isOpen = false;
      tellReaders();
    },
  });
  return c.body(body, 200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
}

/** Waits until the connection has room for more, or is closed. */
async function untilDrained(outgoing: ServerResponse): Promise<void> {
  // What was read from the body is written in this turn.
  await setImmediate();
  if (!outgoing.writableNeedDrain || outgoing.closed) return;
  await new Promise<void>((resolve) => {
    function end(): void {
      outgoing.off("drain", end);
      outgoing.off("close", end);
      resolve();
    }
    outgoing.on("drain", end);
    outgoing.on("close", end);
  });
}
