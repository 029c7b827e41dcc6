import type { Context } from "hono";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import { answerError } from "./answer-error.ts";
import { answerJson } from "./answer-json.ts";
import { createCall } from "./call.ts";
import { answerSlowly, isSlow } from "./event-stream.ts";
import type { McpEnv } from "./mcp-app.ts";
import type { Methods } from "./method.ts";
import { readBody } from "./read-body.ts";
import { readEra } from "./read-era.ts";
import { findId, readMessage } from "./read-message.ts";
import { runCall } from "./run-call.ts";
import { serveBatch } from "./serve-batch.ts";

/** Answers a message, or a batch of the version that has them. */
export async function serve(c: Context<McpEnv>, methods: Methods, rateLimit: RateLimit): Promise<Response> {
  const body = await readBody(c);
  if (Array.isArray(body)) return serveBatch(c, body, { methods, rateLimit });
  try {
    const message = readMessage(body);
    if (message.kind === "response") return c.body(null, 202);
    const era = readEra(message, (name) => c.req.header(name));
    if (message.kind === "notification") return c.body(null, 202);
    const call = createCall(c, era, message);
    if (isSlow(c, call, methods)) return answerSlowly(c, call, methods);
    return answerJson(c, await runCall(call, methods));
  } catch (error) {
    return answerError(error, c, { id: findId(body) });
  }
}
