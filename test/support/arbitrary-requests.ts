import { METHODS } from "node:http";
import fc from "fast-check";

const ROUTES = [
  ...["agent_tokens", "socket_tokens", "tokens/introspect", "tokens/revoke", "whoami", "messages", "tasks"],
  ...["tasks/claim", "agents", "agents/self", "agents/self/heartbeat"],
  ...["heartbeat", "complete", "fail", "reject", "release", "cancel", "cancel_ack"].map(
    (act) => `tasks/{task}/${act}`,
  ),
  ...[
    "operator/agents/{agent}/control",
    "operator/agents/{agent}/labels",
    "operator/emergency_stop",
    "operator/emergency_stop/release",
  ],
  ...["operator/stops", "operator/stops/{stop}/resume", "operator/stops/{stop}/release"],
  ...["eval_runs", "eval_runs/{run}", "operator/eval_runs/{run}/promote_baseline"],
  ...["results", "complete", "cancel", "fail", "comparison"].map((act) => `eval_runs/{run}/${act}`),
  ...["operator/eval_runs", "operator/agent_commands", "operator/robots", "operator/missions"],
].map((path) => `/api/v1/${path}`);

/** Any text, including ones that often cause errors. */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "../..",
    "%00",
    "' OR 1=1 --",
    "${7*7}",
    "<script>",
    "__proto__",
    "constructor",
    "💥".repeat(60),
  ),
  fc.constantFrom(
    "-1",
    "1e999",
    "9007199254740993",
    "0x10",
    "NaN",
    "null",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
  ),
);

const id = fc.oneof(
  fc.uuid(),
  fc.constantFrom("task", "message", "agent").map((what) => `{${what}}`),
  nasty,
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: id },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }) },
  { weight: 1, arbitrary: fc.double() },
  {
    weight: 1,
    arbitrary: fc
      .date({ noInvalidDate: false })
      .map((date) => (Number.isNaN(date.getTime()) ? "x" : date.toISOString())),
  },
);

const part = fc.record(
  {
    text: nasty,
    data: value,
    url: nasty,
    raw: nasty,
    media_type: nasty,
    metadata: fc.dictionary(nasty, value),
  },
  { requiredKeys: [] },
);

/** A body with members of our routes, with right or wrong types. */
const members: Record<string, fc.Arbitrary<unknown>> = {
  title: fc.oneof(fc.constant("A title"), nasty),
  parts: fc.array(part, { maxLength: 3 }),
  input: fc.array(part, { maxLength: 3 }),
  metadata: fc.dictionary(nasty, value, { maxKeys: 3 }),
  labels: fc.dictionary(nasty, nasty, { maxKeys: 3 }),
  scopes: fc.array(fc.oneof(fc.constantFrom("tasks:read", "messages:write"), nasty), { maxLength: 3 }),
  agent: fc.record(
    {
      handle: fc.oneof(fc.constantFrom("a", "primary"), nasty),
      name: nasty,
      kind: fc.constantFrom("robot", "software", "x"),
    },
    { requiredKeys: ["handle"] },
  ),
  token: fc.oneof(fc.constant("{token}"), nasty),
  kind: fc.constantFrom("text", "question", "answer", "notice", "TEXT"),
  expires_in: fc.oneof(fc.integer(), fc.double()),
  priority: fc.integer({ min: -1, max: 10 }),
  run_after: fc.oneof(
    nasty,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  single_use: fc.boolean(),
  queues: fc.array(fc.oneof(fc.constant("default"), nasty), { maxLength: 3 }),
  lease_s: fc.integer({ min: 9, max: 601 }),
  lease_token: nasty,
  input_timeout_s: fc.integer({ min: 0, max: 3 }),
  progress: fc.double(),
  status_message: nasty,
  output: value,
  artifacts: fc.array(fc.record({ artifact_id: nasty, parts: fc.array(part, { maxLength: 2 }) }), {
    maxLength: 2,
  }),
  error: fc.record({ code: nasty, message: nasty, retryable: fc.boolean() }, { requiredKeys: ["message"] }),
  reason: nasty,
  suite: fc.oneof(fc.constant("x"), nasty),
  name: fc.oneof(fc.constant("x"), nasty),
  gate: fc.record({ min_scores: fc.dictionary(nasty, fc.double()) }),
  results: fc.array(
    fc.record({
      item_key: fc.oneof(fc.constantFrom("a", "b"), nasty),
      status: fc.constantFrom("passed", "failed", "skipped"),
      output: value,
      error: fc.oneof(fc.constant(null), nasty),
    }),
    { maxLength: 2 },
  ),
  capabilities: fc.array(
    fc.record({ type: fc.oneof(fc.constant("custom.a"), nasty), params_schema: value }),
    {
      maxLength: 2,
    },
  ),
};
const references = [
  "id",
  "task_id",
  "mission_id",
  "reply_to_id",
  "recipient_agent_id",
  "context_id",
  "parent_task_id",
  "assignee_agent_id",
  "baseline_run_id",
];
const ofItsKind = fc.record(
  { ...members, ...Object.fromEntries(references.map((name) => [name, id])) },
  { requiredKeys: [] },
);
const ofAnyKind = fc.dictionary(fc.constantFrom(...Object.keys(members), ...references), value, {
  maxKeys: 4,
});

/** A request body, mostly JSON with members of our routes. */
export const body = fc.oneof(
  { weight: 5, arbitrary: ofItsKind.map((fields) => JSON.stringify(fields)) },
  { weight: 3, arbitrary: ofAnyKind.map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.webQueryParameters() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "{",
      '{"title":"x","metadata":{"a":1e999}}',
      '{"title":"\\ud800"}',
      `{"title":"x","input":[{"data":${"[".repeat(5000)}${"]".repeat(5000)}}]}`,
    ),
  },
);

const parameter = fc.tuple(
  fc.constantFrom(
    ...["limit", "offset", "filter", "workspace_id", "__proto__", "limit[]"],
    ...["status", "queue", "assignee", "context_id", "recipient", "kind", "label", "current_generation"],
  ),
  nasty,
);
/** A query with parameters of our lists, and others. */
export const query = fc
  .array(parameter, { maxLength: 3 })
  .map((all) => all.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join("&"));

/** A path below /api/v1, mostly an existing one. `{task}`, `{message}` and `{agent}` are replaced by ids. */
export const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ROUTES) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("tasks", "messages", "agent_tokens"), id)
      .map(
        ([of, text]) =>
          `/api/v1/${of}/${encodeURIComponent(text.toWellFormed()).replaceAll(/%7B(\w+)%7D/g, "{$1}")}`,
      ),
  },
  { weight: 1, arbitrary: fc.webPath().map((text) => `/api/v1${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "/api/v1/%",
      "/api/v1/%zz",
      "/api/v1//",
      "/api/v1/tasks/%2e%2e",
      "/api/v1/../v1/tasks",
      "//a/b",
      "/api/v1/tasks/%c0%80",
    ),
  },
);

/** A header value that HTTP allows. */
const headerText = nasty.map((text) =>
  Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, "")
    .trim(),
);
/** Headers, mostly with a credential. `{key}` and `{token}` are replaced by valid ones. */
export const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("Bearer {key}", "Bearer {token}") },
      { weight: 1, arbitrary: headerText },
      { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
    ),
    "content-type": fc.oneof(
      { weight: 6, arbitrary: fc.constant("application/json") },
      { weight: 1, arbitrary: fc.constant("application/x-www-form-urlencoded") },
      { weight: 1, arbitrary: headerText },
    ),
    "idempotency-key": fc.oneof(fc.constantFrom("a", "b"), headerText),
    "x-request-id": headerText,
    traceparent: headerText,
    "user-agent": headerText,
    "if-none-match": headerText,
    cookie: headerText,
    "x-forwarded-for": headerText,
    accept: headerText,
  },
  { requiredKeys: ["authorization", "content-type"] },
);

/** An HTTP method. */
export const method = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("GET", "POST", "POST", "PUT") },
  // CONNECT requests a tunnel, which Node doesn't pass on.
  { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((name) => name !== "CONNECT")) },
);
