import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { ApiDescription } from "./api-description.ts";

type Header = { description: string; required: boolean; schema: { type: "string" } };
type Answer = { description: string; headers?: Record<string, Header>; content?: object };
type Parameter = { in: string; name: string; required: boolean; description: string; schema: object };
type Operation = { parameters?: Parameter[]; responses: Record<string, Answer> };

/** POST routes that accept Idempotency-Key. */
const IDEMPOTENT = new Set([
  "post /tasks",
  "post /messages",
  "post /eval_runs",
  "post /operator/missions",
  "post /operator/agent_commands",
  "post /budget_reservations",
  "post /gateway/check",
  "post /gateway/executions",
]);
/** Routes whose precondition is a field of the body. */
const IN_BODY = new Set(["post /operator/approvals/{id}/approve", "post /operator/approvals/{id}/deny"]);
/** POST routes that return Location. */
const LOCATED = new Set([
  "post /tasks",
  "post /messages",
  "post /agent_tokens",
  "post /eval_runs",
  "post /operator/missions",
  "post /budget_reservations",
  "post /gateway/executions",
]);
/** Lists that return Link. */
const LINKED = new Set([
  "get /tasks",
  "get /messages",
  "get /agents",
  "get /agent_tokens",
  "get /gateway/entities",
  "get /operator/approvals",
  "get /operator/decisions",
  "get /operator/traces",
  "get /operator/budgets",
  "get /gateway/executions",
  "get /operator/executions",
  "get /operator/eval_runs",
  "get /operator/agent_commands",
  "get /eval_runs/{id}/results",
]);

const IDEMPOTENCY_KEY =
  "1 to 255 visible ASCII characters. Repeating the request with the same key within 24 hours returns the same response and changes nothing. " +
  "All of an agent's access tokens share their keys, so a retry may use a new token.";
const PAGES =
  "Links to the first, previous and next page (RFC 8288). A page of large items is cut at about 4 MiB: only a missing `next` marks the end.";

/** Adds request and response headers to every route, based on what the route declares. */
export function describeHeaders(document: ApiDescription): void {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Each item holds operations by method and nothing else.
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
      requestHeader("If-None-Match", "ETags you have. The response is 304 if one still matches."),
    );
  }
  if ("412" in operation.responses && !IN_BODY.has(route)) {
    parameters.push(
      requestHeader("If-Match", 'ETags, or generations such as `"7"`. The response is 412 if none matches.'),
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
    "X-Request-Id": header("Identifies the request in the service's logs. Your own if you sent one."),
    ...(status !== "401" && {
      RateLimit: optionalHeader("Requests left in this second (r), and seconds until the limit resets (t)."),
      "RateLimit-Policy": optionalHeader("Requests allowed (q) per window of seconds (w)."),
    }),
    ...(isConditional && {
      ETag: header("Identifies this version, for If-None-Match and If-Match."),
      "Cache-Control": header("Cache privately and revalidate each time."),
    }),
    ...(LINKED.has(route) && status === "200" && { Link: header(PAGES) }),
    ...(LINKED.has(route) && status === "304" && { Link: optionalHeader(PAGES) }),
    ...(LOCATED.has(route) && status === "201" && { Location: header("URL of the created resource.") }),
    ...(status === "401" && { "WWW-Authenticate": header("RFC 6750.") }),
    ...((status === "400" || status === "403") && {
      "WWW-Authenticate": optionalHeader(
        "RFC 6750, if the credential is the reason. Names the missing scope.",
      ),
    }),
    ...(route === "post /budget_reservations" &&
      status === "409" && {
        "Retry-After": optionalHeader("With `budget_exceeded`: seconds to the budget's next period."),
      }),
    ...((status === "429" || status === "503") && { "Retry-After": header("Seconds to wait.") }),
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
