import type { Context } from "hono";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import { allowSilence } from "../../src/http/allow-silence.ts";
import { SIGN_OF_LIFE, answerEvents, formatEvent } from "../../src/http/event-stream.ts";
import type { Call } from "./call.ts";
import type { McpEnv } from "./mcp-app.ts";
import type { EventStream, Methods } from "./method.ts";
import { RPC } from "./protocol.ts";
import { RpcError, createInternalError, toErrorMessage } from "./rpc-error.ts";
import { runCall } from "./run-call.ts";
import { SIGN_EVERY_MS, createSigns } from "./signs-of-life.ts";

const SLOW_SECONDS = 10;
const LINE_END = /\r\n|\n|\r/g;

/** A stream that also takes messages that are JSON already. */
export type TextStream = EventStream & { sendText: (json: string) => void };

/** Whether a request may take so long that its answer should begin at once, and its client understands that. */
export function isSlow(c: Context<McpEnv>, call: Call, methods: Methods): boolean {
  const seconds = methods[call.era.name].get(call.method)?.getWaitSeconds?.(call) ?? 0;
  if (seconds > 0) allowSilence(c.env.incoming, seconds);
  return seconds > SLOW_SECONDS && takesEvents(c);
}

/** Whether a client accepts event streams. */
export function takesEvents(c: Context<McpEnv>): boolean {
  return /\btext\/event-stream\b/i.test(c.req.header("accept") ?? "");
}

/** Answers with an event stream that shows signs of life, and ends with the answer. */
export function answerSlowly(c: Context<McpEnv>, call: Call, methods: Methods): Response {
  const isSubscription = methods[call.era.name].get(call.method)?.isSubscription === true;
  return answerMessages(c, async (stream) => {
    const { send } = stream;
    const showSign = createSigns(isSubscription ? null : getProgressToken(call), stream);
    const signs = setInterval(showSign, SIGN_EVERY_MS);
    try {
      send(await runCall(call, methods, stream));
    } catch (error) {
      send(toErrorMessage(call.id, toRpcError(error)));
    } finally {
      clearInterval(signs);
    }
  });
}

/** Answers with an event stream of messages, which ends when `act` does. */
export function answerMessages(c: Context<McpEnv>, act: (stream: TextStream) => Promise<void>): Response {
  return answerEvents(c, ({ write, untilRead }) => {
    function send(message: object | null): void {
      write(message === null ? SIGN_OF_LIFE : formatEvent(message, "message"));
    }
    function sendText(json: string): void {
      write(`event: message\ndata: ${json.replaceAll(LINE_END, "\ndata: ")}\n\n`);
    }
    return act({ send, sendText, untilRead });
  });
}

function getProgressToken({ params: { _meta: meta } }: Call): unknown {
  return isObject(meta) ? meta["progressToken"] : null;
}

/** Its status can't be told any more. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const known = toDomainError(error);
  return known === null ? createInternalError() : new RpcError(RPC.invalidRequest, known.message);
}
