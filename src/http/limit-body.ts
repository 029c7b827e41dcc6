import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { HeldBody, HoldBody } from "./held-bodies.ts";
import { type ChunksProblem, readChunks } from "./read-chunks.ts";
import type { HttpEnv } from "./request.ts";

/** Why a body is rejected. */
export type BodyProblem = ChunksProblem | "no room";

type BodyLimit<Env extends HttpEnv> = {
  maxBytes: number;
  holdBody: HoldBody;
  /** What the body is charged to: an address, or the agents, people or identity provider of a workspace. */
  getHolder: (c: Context<Env>) => string;
  /** Creates the error for a rejected body. */
  createError: (why: BodyProblem, maxBytes: number) => Error;
};

/** Bodies that are not larger, and are there already, are left to whoever reads them. */
const SMALL_BYTES = 4096;

/**
 * Limits a body's size, and reserves memory for it until its request is processed and answered. A body that has arrived
 * waits for the event loop's time.
 */
export function limitBody<Env extends HttpEnv>({
  maxBytes,
  holdBody,
  getHolder,
  createError,
}: BodyLimit<Env>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env;
    const bytes = countBytes(incoming, maxBytes);
    if (bytes > maxBytes) throw createError("too large", maxBytes);
    if (bytes === 0) return next();
    const held = holdBody(getHolder(c), bytes);
    if (held === null) {
      // The body is not read, so the connection can't be reused.
      c.header("connection", "close");
      throw createError("no room", maxBytes);
    }
    const release = releaseAfter(2, held);
    // A client that left during authentication causes no other "close".
    if (outgoing.closed) release();
    else outgoing.once("close", release);
    try {
      if (isChunked(incoming) || bytes > SMALL_BYTES || !incoming.complete) {
        const body = await readChunks(incoming, maxBytes);
        if (typeof body === "string") throw createError(body, maxBytes);
        held.keep(body.byteLength);
        replaceBody(c, body);
      }
      await held.takeTurn();
      return await next();
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

/** Returns the largest possible size of a body; 0 if there is none. */
function countBytes(incoming: IncomingMessage, maxBytes: number): number {
  // Their bodies have no meaning. @see RFC 9110, 9.3.1 and 9.3.2.
  if (incoming.method === "GET" || incoming.method === "HEAD") return 0;
  return isChunked(incoming) ? maxBytes : Number(incoming.headers["content-length"] ?? 0);
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}

function replaceBody<Env extends HttpEnv>(c: Context<Env>, body: Uint8Array<ArrayBuffer>): void {
  const { url, method, headers, signal } = c.req.raw;
  c.req.raw = new Request(url, { method, headers, signal, body });
}
