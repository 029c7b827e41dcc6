import type { Context } from "hono";
import { type CallProgress, callMcpTool } from "../../../src/auth/upstream/call-mcp-tool.ts";
import { UpstreamError } from "../../../src/auth/upstream/upstream-error.ts";
import type { DomainError } from "../../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../../src/domain/kernel/to-domain-error.ts";
import { allowSilence } from "../../../src/http/allow-silence.ts";
import { answerJsonText } from "../answer-json.ts";
import type { Call } from "../call.ts";
import { answerMessages, takesEvents, toRpcError } from "../event-stream.ts";
import { withIdempotencyKey } from "../../../src/domain/kernel/with-idempotency-key.ts";
import type { McpEnv } from "../mcp-app.ts";
import type { Result } from "../method.ts";
import { RPC } from "../protocol.ts";
import { RpcError, createInternalError, toErrorMessage } from "../rpc-error.ts";
import { toMessage } from "../run-call.ts";
import { SIGN_EVERY_MS, createSigns } from "../signs-of-life.ts";
import { isOfCredential, toToolError } from "../tool-error.ts";
import { toResult } from "./call-answer.ts";
import { createCallStream, createSilence } from "./call-sink.ts";
import type { Proxied } from "./proxied.ts";
import { readToolCall } from "./read-tool-call.ts";
import { describeProblem } from "./relay.ts";

/** The longest call, and the longest wait for people before it. */
const MOST_SECONDS = 1200;

/** The JSON of a response, and the status with which it is sent. */
type Answer = { text: string; status: 200 | 400 | 404 };

/** Calls a tool. The answer is an event stream once people are waited for, or if the server's is one. */
export async function callTool(c: Context<McpEnv>, call: Call, proxied: Proxied): Promise<Response> {
  allowSilence(c.env.incoming, MOST_SECONDS);
  if (!takesEvents(c)) return answer(c, await run(call, proxied, createSilence()));
  const stream = createCallStream();
  const running = run(call, proxied, stream);
  // If it fails while nobody waits for it, that is told below.
  running.catch(() => {});
  const first = await Promise.race([running, stream.begun]);
  if (first !== "begun") return answer(c, first);
  return answerMessages(c, async (events) => {
    const showSign = createSigns(null, events);
    const signs = setInterval(showSign, SIGN_EVERY_MS);
    stream.attach(events);
    try {
      events.sendText((await running).text);
    } catch (error) {
      events.send(toErrorMessage(call.id, toRpcError(error)));
    } finally {
      clearInterval(signs);
    }
  });
}

function answer(c: Context<McpEnv>, { text, status }: Answer): Response {
  return answerJsonText(c, text, { status });
}

/** @throws {RpcError} @throws {DomainError} for a caller who may not go on. */
async function run(call: Call, proxied: Proxied, progress: CallProgress): Promise<Answer> {
  const { ctx } = call;
  const { key, ...toolCall } = readToolCall(call, proxied);
  const asked = { slug: toolCall.slug, name: toolCall.name, arguments: toolCall.arguments ?? null };
  ctx.canHold = true;
  try {
    const answered = await withIdempotencyKey(ctx, { key, asked }, () =>
      callMcpTool(ctx, toolCall, progress),
    );
    if (answered.kind !== "response") return toAnswer(call, toResult(answered, call));
    const { text, status } = answered;
    return { text, status: status === 400 || status === 404 ? status : 200 };
  } catch (error) {
    if (error instanceof UpstreamError) throw new RpcError(RPC.internalError, describeProblem(error));
    if (error instanceof RpcError) throw error;
    const known = toDomainError(error);
    if (known !== null && isForModels(known)) return toAnswer(call, toToolError(known));
    if (known === null) call.log.error({ err: error }, "a call through the proxy failed");
    throw known ?? createInternalError();
  }
}

function toAnswer(call: Call, result: Result): Answer {
  return { text: JSON.stringify(toMessage(call, result)), status: 200 };
}

/** Other errors are of the whole request: a client can't mend them by another call. */
function isForModels(error: DomainError): boolean {
  return !isOfCredential(error) && !OF_REQUEST.has(error.code);
}

const OF_REQUEST: ReadonlySet<string> = new Set(["insufficient_scope", "not_found", "unavailable"]);
