import type { IncomingMessage } from "node:http";

/** For what happens before and after the wait. */
const MARGIN_SECONDS = 60;

/** Keeps a request's connection open for this long without a byte. The next request has the usual time again. */
export function allowSilence({ socket }: IncomingMessage, seconds: number): void {
  socket.setTimeout((seconds + MARGIN_SECONDS) * 1000);
}
