import type { Context } from "hono";
import type { HttpEnv } from "./request.ts";

/** Answers a request within a span of the server's own traces. */
export type TraceRequest = (c: Context<HttpEnv>, answer: () => Promise<void>) => Promise<void>;
