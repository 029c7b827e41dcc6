import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { ApiDescription } from "./docs-page.ts";

type Header = { description: string; required: boolean; schema: { type: "string" } };
type Answer = { description: string; headers?: Record<string, Header>; content?: object };
type Parameter = { in: string; name: string; required: boolean; description: string; schema: object };
type Operation = { parameters?: Parameter[]; responses: Record<string, Answer> };

/** POSTs whose Idempotency-Key is honoured. */
const IDEMPOTENT = new Set([
  "post /tasks",
  "post /messages",
  "post /eval_runs",
  "post /operator/missions",
  "post /operator/agent_commands",
]);
/** POSTs that tell where what they made is found. */
const LOCATED = new Set([
  "post /tasks",
  "post /messages",
  "post /agent_tokens",
  "post /eval_runs",
  "post /operator/missions",
]);
/** Lists that lead to their other pages. */
const LINKED = new Set([
  "get /tasks",
  "get /messages",
  "get /agents",
  "get /agent_tokens",
  "get /operator/eval_runs",
  "get /operator/agent_commands",
  "get /eval_runs/{id}/results",
]);

const IDEMPOTENCY_KEY =
  "1 to 255 visible ASCII characters. For 24 hours the same request again answers the same and does nothing. " +
  "The keys of an agent's access tokens are the same ones: a token that takes another's place goes on with them.";
const PAGES =
  "The first, previous and next page. A page of large items ends early, at about 4 MiB: only a missing next is the end. RFC 8288.";

/** Adds the headers that every route takes and answers, from what the routes declare. */
export function describeHeaders(document: ApiDescription): void {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Each item holds operations by their method and nothing else.
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      describeRequest(operation, `${method} ${path}`);
      for (const [status, answer] of Object.entries(operation.responses)) {
        answer.headers = listHeaders(operation, `${method} ${path}`, status);
      }
    }
  }
}

function describeRequest(operation: Operation, route: string): void {
  const parameters = [...(operation.parameters ?? [])];
  if ("304" in operation.responses) {
    parameters.push(
      requestHeader("If-None-Match", "ETags that you have: answered with 304 where one still holds."),
    );
  }
  if ("412" in operation.responses) {
    parameters.push(
      requestHeader(
        "If-Match",
        'ETags, or generations such as `"7"`: answered with 412 where it is of none of them any more.',
      ),
    );
  }
  if (IDEMPOTENT.has(route)) {
    parameters.push(
      requestHeader("Idempotency-Key", IDEMPOTENCY_KEY, {
        minLength: 1,
        maxLength: LIMITS.idempotencyKeyLength,
        pattern: "^[\\x21-\\x7e]+$",
      }),
    );
  }
  operation.parameters = parameters;
}

function listHeaders(operation: Operation, route: string, status: string): Record<string, Header> {
  const isConditional = "304" in operation.responses && (status === "200" || status === "304");
  return {
    "X-Request-Id": header("Names the request in our logs; your own where you send one."),
    ...(status !== "401" && {
      RateLimit: optionalHeader(
        "What is left in this second, as r, and the seconds until it is renewed, as t.",
      ),
      "RateLimit-Policy": optionalHeader("Requests allowed, as q, in so many seconds, as w."),
    }),
    ...(isConditional && {
      ETag: header("Names this answer, for If-None-Match."),
      "Cache-Control": header("Yours to keep, and to ask about each time."),
    }),
    ...(LINKED.has(route) && status === "200" && { Link: header(PAGES) }),
    ...(LINKED.has(route) && status === "304" && { Link: optionalHeader(PAGES) }),
    ...(LOCATED.has(route) && status === "201" && { Location: header("Where it is found.") }),
    ...(status === "401" && { "WWW-Authenticate": header("RFC 6750.") }),
    ...((status === "400" || status === "403") && {
      "WWW-Authenticate": optionalHeader(
        "RFC 6750, where the credential is at fault: it names the scope that is missing.",
      ),
    }),
    ...((status === "429" || status === "503") && { "Retry-After": header("Seconds.") }),
  };
}

function header(description: string): Header {
  return { description, required: true, schema: { type: "string" } };
}

function optionalHeader(description: string): Header {
  return { ...header(description), required: false };
}

function requestHeader(name: string, description: string, rules: object = {}): Parameter {
  return { in: "header", name, required: false, description, schema: { type: "string", ...rules } };
}
