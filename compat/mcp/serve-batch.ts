import type { Context } from "hono";
import { chargeRequests } from "../../src/auth/charge-requests.ts";
import { allowSilence } from "../../src/http/allow-silence.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import { answerJsonText } from "./answer-json.ts";
import { type Call, createCall } from "./call.ts";
import type { McpEnv } from "./mcp-app.ts";
import type { Methods } from "./method.ts";
import { RPC } from "./protocol.ts";
import { readEra } from "./read-era.ts";
import { readMessage } from "./read-message.ts";
import { RpcError, toErrorMessage } from "./rpc-error.ts";
import { runCall } from "./run-call.ts";
import { WAIT_SECONDS } from "./tools/shapes.ts";

const MOST_MESSAGES = 20;
/** Answers beyond that end a batch. */
const MOST_CHARACTERS = 4_194_304;
const ONLY_VERSION = "2025-03-26";

type Serving = { methods: Methods; rateLimit: RateLimit };

/**
 * Answers the requests of a batch, one after the other.
 *
 * @throws {RpcError} invalidRequest.
 * @throws {DomainError} rate_limited.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export async function serveBatch(
  c: Context<McpEnv>,
  body: readonly unknown[],
  { methods, rateLimit }: Serving,
): Promise<Response> {
  if (body.length === 0 || body.length > MOST_MESSAGES) {
    throw createBatchError(`A batch must have 1 to ${MOST_MESSAGES} messages.`);
  }
  const requests = body.map(readMessage).filter((message) => message.kind === "request");
  const calls = requests.map((request) =>
    createCall(
      c,
      readEra(request, (name) => c.req.header(name)),
      request,
    ),
  );
  if (calls.some(({ era }) => era.version !== ONLY_VERSION)) {
    throw createBatchError(`Only version ${ONLY_VERSION} has batches.`);
  }
  if (calls.some(({ method }) => method === "initialize")) {
    throw createBatchError("initialize must not be part of a batch.");
  }
  if (calls.length === 0) return c.body(null, 202);
  requireShortWaits(c, calls, methods);
  // The first was counted before the body was read.
  const [, ...others] = calls;
  await chargeRequests(c, rateLimit, others.length);
  return answerJsonText(c, await answerAll(calls, methods));
}

/** @returns JSON text. */
async function answerAll(calls: readonly Call[], methods: Methods): Promise<string> {
  const answers: string[] = [];
  let characters = 0;
  for (const call of calls) {
    const isFull = characters > MOST_CHARACTERS;
    const answer = isFull ? toErrorMessage(call.id, createFullError()) : await answerCall(call, methods);
    const text = JSON.stringify(answer);
    characters += text.length;
    answers.push(text);
  }
  return `[${answers.join(",")}]`;
}

/** They wait one after the other. */
function requireShortWaits(c: Context<McpEnv>, calls: readonly Call[], methods: Methods): void {
  const waits = calls.map((call) => methods.legacy.get(call.method)?.getWaitSeconds?.(call) ?? 0);
  const seconds = waits.reduce((sum, wait) => sum + wait, 0);
  if (seconds > WAIT_SECONDS.max) {
    throw createBatchError(`The requests of a batch may wait for ${WAIT_SECONDS.max} seconds together.`);
  }
  if (seconds > 0) allowSilence(c.env.incoming, seconds);
}

/** An error of one request is its answer. */
async function answerCall(call: Call, methods: Methods): Promise<object> {
  try {
    return await runCall(call, methods);
  } catch (error) {
    if (error instanceof RpcError) return toErrorMessage(call.id, error);
    throw error;
  }
}

function createFullError(): RpcError {
  const message =
    "The answers before this one are too large. It was not run: send it again, in a smaller batch.";
  return new RpcError(RPC.invalidRequest, message);
}

function createBatchError(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, message, { status: 400 });
}
