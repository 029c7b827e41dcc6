import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "../../domain/kernel/is-object.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { OutboundAnswer } from "../../http/outbound/exchange.ts";
import { OutboundError } from "../../http/outbound/outbound-error.ts";
import { readEvents } from "../../http/outbound/read-events.ts";
import { type JsonProblem, parseJson } from "../../http/parse-json.ts";
import { hasRepeatedName } from "./has-repeated-name.ts";

/** A message of JSON-RPC from a server, which may be anything. */
export type UpstreamMessage = Record<string, unknown>;

/** A message, and its JSON as it came. */
export type ReadMessage = { message: UpstreamMessage; text: string };

/** Each is passed on by itself, which costs some ten microseconds. */
const MOST_MESSAGES = 10_000;

/**
 * Reads the messages of an answer, one or a stream of them.
 *
 * @throws {OutboundError} if one is no JSON object or too large, or there are too many.
 */
export async function* readMessages(
  { headers, body }: OutboundAnswer,
  maxBytes: number,
): AsyncGenerator<ReadMessage> {
  if (!isEventStream(headers)) {
    const text = await readText(body, maxBytes);
    yield { message: parse(text), text };
    return;
  }
  let count = 0;
  for await (const text of readEvents(body, maxBytes)) {
    count++;
    if (count > MOST_MESSAGES) throw createBrokenError(`more than ${MOST_MESSAGES} messages`);
    yield { message: parse(text), text };
  }
}

/** Reads the response with this id. Null if there is none. @throws {OutboundError} */
export async function readResponse(
  answer: OutboundAnswer,
  id: unknown,
  maxBytes: number,
): Promise<UpstreamMessage | null> {
  for await (const { message } of readMessages(answer, maxBytes)) if (isResponse(message, id)) return message;
  return null;
}

/** Whether a message answers the request with this id. */
export function isResponse(message: UpstreamMessage, id: unknown): boolean {
  return !("method" in message) && message["id"] === id && ("result" in message || "error" in message);
}

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw new OutboundError("too large", `The answer has more than ${maxBytes} bytes.`, true);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string): UpstreamMessage {
  const value = parseJson(text, JSON_LIMITS);
  if (!isObject(value)) throw createBrokenError("something that is no message of JSON-RPC");
  // The text is passed on, so that nothing of it is lost.
  if (hasRepeatedName(text)) throw createBrokenError("a message in which a name is given twice");
  return value;
}

const PROBLEMS: Record<JsonProblem, string> = {
  "too deep": "levels of JSON",
  "too many containers": "lists and objects in a message",
  "too many members": "members of objects in a message",
  "too many values": "elements and members in a message",
};

/** Anybody's servers can be asked: their answers are limited like callers' bodies, which are smaller. */
const JSON_LIMITS = {
  maxDepth: LIMITS.bodyDepth,
  maxContainers: LIMITS.bodyContainers,
  maxMembers: 2 * LIMITS.bodyMembers,
  maxValues: LIMITS.bodyValues,
  createError: (problem: JsonProblem, limit: number) =>
    createBrokenError(`more than ${limit} ${PROBLEMS[problem]}`),
};

function createBrokenError(what: string): OutboundError {
  return new OutboundError("broken", `The server answered with ${what}.`, true);
}
