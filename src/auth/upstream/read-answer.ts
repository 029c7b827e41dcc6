import { isObject } from "../../domain/kernel/is-object.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { OutboundAnswer } from "../../http/outbound/exchange.ts";
import type { CallSink } from "./call-sink.ts";
import { foldCase } from "./has-repeated-name.ts";
import { type ReadMessage, isEventStream, isResponse, readMessages } from "./read-messages.ts";

/** What a server answered to a call. */
export type ReadAnswer =
  | { kind: "result"; text: string; isError: boolean }
  /** `effect` is what it may have done. */
  | { kind: "error"; text: string; status: number; message: string; effect: "none" | "partial" }
  /** It refused the request, by its status. */
  | { kind: "refused"; status: number; message: string }
  /** Nobody knows what it has done. */
  | { kind: "unusable"; message: string };

type Reading = {
  id: string | number;
  sink: CallSink;
  /** Counts also what is not read to its end. */
  counted: { bytes: number };
  /** The server says so. Called once, however often it does. */
  onToolsChanged: () => void;
};

/** Codes of requests that a server does not begin with. */
const NOT_BEGUN: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602, -32020, -32021, -32022]);

/**
 * Reads what a server answers to a call, and passes on what precedes the answer. Requests to the client are not passed
 * on: a server may use neither the agent's model nor its user.
 *
 * @throws {OutboundError}
 */
export async function readAnswer(
  sent: OutboundAnswer,
  { id, sink, counted, onToolsChanged }: Reading,
): Promise<ReadAnswer> {
  const { status } = sent;
  if (status === 202 || status === 204)
    return discard(sent, "The server accepted the call without an answer.");
  let isTold = false;
  try {
    if (isEventStream(sent.headers)) sink.onStream();
    for await (const read of readMessages(sent, LIMITS.mcpAnswerBytes)) {
      counted.bytes += Buffer.byteLength(read.text);
      const { message } = read;
      if (isResponse(message, id)) return judge(read, sent);
      if (!("method" in message)) continue;
      if ("id" in message)
        return discard(sent, "The server asked its client for something, which is not passed on.");
      if (message["method"] === "notifications/tools/list_changed" && !isTold) {
        isTold = true;
        onToolsChanged();
      }
      await sink.pass(read.text);
    }
  } catch (error) {
    if (status < 400 || status >= 500) throw error;
  }
  if (status < 400 || status >= 500) return discard(sent, "The server ended its answer without a response.");
  sent.discard();
  return { kind: "refused", status, message: `The server refused the request (status ${status}).` };
}

function discard(sent: OutboundAnswer, message: string): ReadAnswer {
  sent.discard();
  return { kind: "unusable", message };
}

function judge({ message, text }: ReadMessage, sent: OutboundAnswer): ReadAnswer {
  sent.discard();
  const { result, error } = message;
  if (!isObject(result)) {
    const { code, message: said } = isObject(error) ? error : {};
    const effect = NOT_BEGUN.has(code) ? "none" : "partial";
    const { status } = sent;
    return {
      kind: "error",
      text,
      status,
      effect,
      message: typeof said === "string" ? said : "Unknown error.",
    };
  }
  const { resultType = "complete", isError } = result;
  if (resultType !== "complete" || Object.keys(result).some(isOfGoingOn)) {
    return { kind: "unusable", message: "The server wants to go on in a way that is not passed on." };
  }
  if (Object.keys(message).some((name) => foldCase(name) === "error")) {
    return { kind: "unusable", message: "The server answered with a result and an error." };
  }
  return { kind: "result", text: hideForged(message, result) ?? text, isError: isError === true };
}

/** Members that say how a call goes on. */
const GOING_ON: ReadonlySet<string> = new Set(["resulttype", "inputrequests", "requeststate"]);

/** Whether a member is one of these, if only to readers that ignore case. A complete result has its type alone. */
function isOfGoingOn(name: string): boolean {
  return name !== "resultType" && GOING_ON.has(foldCase(name));
}

/** Only we say something under our own names. Null if there is nothing to hide. */
function hideForged(message: object, result: Record<string, unknown>): string | null {
  const { _meta: meta } = result;
  if (!isObject(meta) || !Object.keys(meta).some(isOurs)) return null;
  const kept = Object.fromEntries(Object.entries(meta).filter(([name]) => !isOurs(name)));
  return JSON.stringify({ ...message, result: { ...result, _meta: kept } });
}

function isOurs(name: string): boolean {
  return foldCase(name).startsWith("agent-ops/");
}
