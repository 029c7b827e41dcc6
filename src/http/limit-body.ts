import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { HoldBody } from "./held-bodies.ts";
import type { HttpEnv } from "./request.ts";

type BodyLimit<Env extends HttpEnv> = {
  maxBytes: number;
  holdBody: HoldBody;
  /** Whose the body is: a workspace, or an address. */
  getHolder: (c: Context<Env>) => string;
  /** Throws the refusal of a body that is too large, or that there is no room for. */
  refuse: (why: "too large" | "no room") => never;
};

/** Holds a body to so many bytes, and makes room for it until its request is answered. */
export function limitBody<Env extends HttpEnv>({
  maxBytes,
  holdBody,
  getHolder,
  refuse,
}: BodyLimit<Env>): MiddlewareHandler<Env> {
  const limit = bodyLimit({ maxSize: maxBytes, onError: () => refuse("too large") });
  return async (c, next) => {
    const { incoming, outgoing } = c.env;
    const bytes = countBytes(incoming, maxBytes);
    if (bytes === 0) return limit(c, next);
    const held = holdBody(getHolder(c), bytes);
    if (held === null) {
      // The body stays unread, so nothing can follow it on this connection.
      c.header("connection", "close");
      return refuse("no room");
    }
    outgoing.once("close", () => held.keep(0));
    if (!isChunked(incoming)) return limit(c, next);
    const { socket, readableLength } = incoming;
    const before = socket.bytesRead - readableLength;
    // It is read here, and known to be no longer than what has come meanwhile.
    return limit(c, () => {
      if (!outgoing.closed) held.keep(Math.min(bytes, socket.bytesRead - before));
      return next();
    });
  };
}

/** How many bytes of a body there will be at most; none of one that is too large is read. */
function countBytes(incoming: IncomingMessage, maxBytes: number): number {
  if (isChunked(incoming)) return maxBytes;
  const length = Number(incoming.headers["content-length"] ?? 0);
  return length > maxBytes ? 0 : length;
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}
