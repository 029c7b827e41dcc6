import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { HeldBody, HoldBody } from "./held-bodies.ts";
import type { HttpEnv } from "./request.ts";

type BodyLimit<Env extends HttpEnv> = {
  maxBytes: number;
  holdBody: HoldBody;
  /** What the body is charged to: an address, or the agents, people or identity provider of a workspace. */
  getHolder: (c: Context<Env>) => string;
  /** Creates the error for a body that is too large, or that there is no memory for. */
  createError: (why: "too large" | "no room", maxBytes: number) => Error;
};

/** Limits a body's size, and reserves memory for it until its request is processed and answered. */
export function limitBody<Env extends HttpEnv>({
  maxBytes,
  holdBody,
  getHolder,
  createError,
}: BodyLimit<Env>): MiddlewareHandler<Env> {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw createError("too large", maxBytes);
    },
  });
  return async (c, next) => {
    const { incoming, outgoing } = c.env;
    const bytes = countBytes(incoming, maxBytes);
    if (bytes === 0) return limit(c, next);
    const held = holdBody(getHolder(c), bytes);
    if (held === null) {
      // The body is not read, so the connection can't be reused.
      c.header("connection", "close");
      throw createError("no room", maxBytes);
    }
    const { socket, readableLength } = incoming;
    const before = socket.bytesRead - readableLength;
    const release = releaseAfter(2, held);
    // A client that left during authentication causes no other "close".
    if (outgoing.closed) release();
    else outgoing.once("close", release);
    try {
      return await limit(c, () => {
        // The body has arrived: it is at most as long as what the socket has read since.
        if (isChunked(incoming)) held.keep(Math.min(bytes, socket.bytesRead - before));
        return next();
      });
    } finally {
      release();
    }
  };
}

/** Returns a function that releases the memory when it is called for the last of `users`. */
function releaseAfter(users: number, held: HeldBody): () => void {
  let left = users;
  return () => {
    left--;
    if (left === 0) held.keep(0);
  };
}

/** Returns the largest possible size of a body; 0 if it is too large to be read. */
function countBytes(incoming: IncomingMessage, maxBytes: number): number {
  if (isChunked(incoming)) return maxBytes;
  const length = Number(incoming.headers["content-length"] ?? 0);
  return length > maxBytes ? 0 : length;
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}
