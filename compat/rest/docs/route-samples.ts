import type { DescribedRoute } from "./described-route.ts";
import { writeLiteral } from "./write-literal.ts";

/** A route's example requests. */
export type RouteSamples = { curl: string; typescript: string };

/** Values of parameters in examples, where the route's description has none. */
const VALUES: Record<string, string> = {
  type: "user",
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  span_id: "00f067aa0ba902b7",
};

const IDEMPOTENCY_KEY = "refund-42";

/** Routes for which the client has more than `send`. */
const HELPERS: Record<string, string> = {
  "POST /agent_tokens": `const { token } = await client.mint({
  agent: { handle: "billing-bot", name: "Billing bot", kind: "software" },
  scopes: ["tasks:read", "tasks:work"],
});`,
  "POST /tasks/claim": `// Claims tasks, keeps their leases by heartbeats and reports how each ended, until the signal is aborted.
await client.workTasks({
  queues: ["billing"],
  handle: async (task) => ({ output: await refund(task, { idempotencyKey: task.id }) }),
  signal: stop.signal,
});`,
  "GET /agent_commands/next": `// Executes commands in order, each once, until the signal is aborted.
await client.handleCommands({
  journal: "agent.journal",
  handlers: { "agent.pause": { run: pause, recover: pause } },
  signal: stop.signal,
});`,
  "POST /gateway/check": `const check = await client.check(
  {
    action: { name: "tools/call", properties: { arguments: { amount: 900, order: "A-17" } } },
    resource: { type: "tool", id: "stripe.refund" },
  },
  { waitSeconds: 20 },
);
if (check.status === "allowed") await refund({ amount: 900, order: "A-17" });`,
  "GET /events": `for await (const frame of client.events({ types: ["task.*"] })) {
  if (frame.kind === "event") console.log(frame.event);
}`,
};

/** Writes a route's examples: for curl, and for our client or, where it has no call, fetch. */
export function writeSamples(route: DescribedRoute): RouteSamples {
  return { curl: writeCurl(route), typescript: writeTypescript(route) };
}

function writeCurl(route: DescribedRoute): string {
  const { method, body, scope } = route;
  const credential =
    scope === null ? `-b "_agent_ops_key=$SESSION"` : `-H "Authorization: Bearer $AGENT_OPS_TOKEN"`;
  const verb = method === "GET" ? "" : `-X ${method} `;
  const sent =
    body === undefined ? null : writeLiteral(body.example ?? {}, "json").replaceAll("'", String.raw`'\''`);
  return [
    `curl ${verb}"$AGENT_OPS_URL${writePath(route)}"`,
    credential,
    ...(sent === null ? [] : [`-H "Content-Type: application/json"`]),
    ...(isIdempotent(route) ? [`-H "Idempotency-Key: ${IDEMPOTENCY_KEY}"`] : []),
    ...(sent === null ? [] : [`-d '${sent}'`]),
  ].join(" \\\n  ");
}

function writeTypescript(route: DescribedRoute): string {
  const { method, path, scope, answers } = route;
  const helper = HELPERS[`${method} ${path}`];
  if (helper !== undefined) return helper;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const isClients = scope !== null && names.every((name) => name === "id") && !isStream(route);
  if (!isClients) return writeFetch(route);
  const hasAnswer = answers.some(([status]) => status.startsWith("2") && status !== "204");
  const call = `await client.send(${JSON.stringify(`${method} ${path}`)}, ${writeLiteral(listSent(route), "typescript")});`;
  return hasAnswer ? `const answer = ${call}` : call;
}

function listSent(route: DescribedRoute): Record<string, unknown> {
  const { path, body } = route;
  return {
    ...(path.includes("{id}") && { id: findValue(route, "id") }),
    ...(hasQuery(route) && { query: findQuery(route) }),
    ...(body !== undefined && { body: body.example ?? {} }),
    ...(isIdempotent(route) && { idempotencyKey: IDEMPOTENCY_KEY }),
  };
}

function writeFetch(route: DescribedRoute): string {
  const { method, body, scope } = route;
  const isPersons = scope === null;
  const headers = [
    ...(isPersons ? [] : ["authorization: `Bearer ${token}`"]),
    ...(body === undefined ? [] : [`"content-type": "application/json"`]),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${writeLiteral(body.example ?? {}, "typescript", 2)})`]),
  ];
  const address = isPersons ? JSON.stringify(writePath(route)) : `\`\${url}${writePath(route)}\``;
  return [
    ...(isPersons ? ["// In a page of this server: the browser sends the session's cookie."] : []),
    `const response = await fetch(${address}, {\n  ${options.join(",\n  ")},\n});`,
  ].join("\n");
}

/** The path with example values. */
function writePath(route: DescribedRoute): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => findValue(route, name));
  const query = new URLSearchParams(
    Object.entries(findQuery(route)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/api/v1${path}${query === "" ? "" : `?${query}`}`;
}

function findValue({ path, parameters }: DescribedRoute, name: string): string {
  // Entities are named by those who make them.
  if (path.includes("{type}") && name === "id") return "ada";
  const example = parameters.find((one) => one.name === name)?.schema.example;
  return VALUES[name] ?? (typeof example === "string" ? example : name);
}

/** The query of the example: how many, and whether to wait, where a route can be asked so. */
function findQuery({ parameters }: DescribedRoute): Record<string, number> {
  const names = new Set(parameters.filter((one) => one.in === "query").map(({ name }) => name));
  if (names.has("wait")) return { wait: 25 };
  return names.has("limit") ? { limit: 20 } : {};
}

function hasQuery({ parameters }: DescribedRoute): boolean {
  return parameters.some((one) => one.in === "query");
}

function isIdempotent({ parameters }: DescribedRoute): boolean {
  return parameters.some(({ name }) => name === "Idempotency-Key");
}

function isStream({ answers }: DescribedRoute): boolean {
  return answers.some(([, { content }]) => content?.["application/x-ndjson"] !== undefined);
}
