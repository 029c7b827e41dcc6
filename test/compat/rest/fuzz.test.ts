import { METHODS } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/client.ts";
import { type RawRequest, sendRaw } from "../../support/raw-request.ts";
import { type World, createWorld } from "../../support/world.ts";

let world: World;
/** Ids of things that are there, so that not everything fuzzed is about nothing. */
let known: { task: string; message: string; token: string; agent: string };

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: "0" });
  const task = (await world.agent.post("/api/v1/tasks", { title: "x" })).body.task.id;
  const message = (await world.agent.post("/api/v1/messages", { parts: [{ text: "x" }], kind: "question" })).body.message.id;
  const minted = (await world.agent.post("/api/v1/agent_tokens")).body;
  known = { task, message, token: minted.token, agent: minted.agent_id };
});

afterAll(() => world.server.close());

const ROUTES = [
  ...["agent_tokens", "socket_tokens", "tokens/introspect", "tokens/revoke", "whoami", "messages", "tasks"],
  ...["operator/eval_runs", "operator/agent_commands", "operator/robots", "operator/missions"],
].map((path) => `/api/v1/${path}`);

/** Any text, and those that have hurt somebody. */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("", "\0", "\ud800", "../..", "%00", "' OR 1=1 --", "${7*7}", "<script>", "__proto__", "constructor", "💥".repeat(60)),
  fc.constantFrom("-1", "1e999", "9007199254740993", "0x10", "NaN", "null", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"),
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
  { weight: 1, arbitrary: fc.date({ noInvalidDate: false }).map((date) => (Number.isNaN(date.getTime()) ? "x" : date.toISOString())) },
);

const part = fc.record({ text: nasty, data: value, url: nasty, raw: nasty, media_type: nasty, metadata: fc.dictionary(nasty, value) }, { requiredKeys: [] });

/** A body with the members that our routes know, each of its own kind or of any other. */
const members: Record<string, fc.Arbitrary<unknown>> = {
  title: fc.oneof(fc.constant("A title"), nasty),
  parts: fc.array(part, { maxLength: 3 }),
  input: fc.array(part, { maxLength: 3 }),
  metadata: fc.dictionary(nasty, value, { maxKeys: 3 }),
  labels: fc.dictionary(nasty, nasty, { maxKeys: 3 }),
  scopes: fc.array(fc.oneof(fc.constantFrom("tasks:read", "messages:write"), nasty), { maxLength: 3 }),
  agent: fc.record({ handle: fc.oneof(fc.constantFrom("a", "primary"), nasty), name: nasty, kind: fc.constantFrom("robot", "software", "x") }, { requiredKeys: ["handle"] }),
  token: fc.oneof(fc.constant("{token}"), nasty),
  kind: fc.constantFrom("text", "question", "answer", "notice", "TEXT"),
  expires_in: fc.oneof(fc.integer(), fc.double()),
  priority: fc.integer({ min: -1, max: 10 }),
  run_after: fc.oneof(nasty, fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
  single_use: fc.boolean(),
};
const references = ["id", "task_id", "mission_id", "reply_to_id", "recipient_agent_id", "context_id", "parent_task_id", "assignee_agent_id"];
const ofItsKind = fc.record({ ...members, ...Object.fromEntries(references.map((name) => [name, id])) }, { requiredKeys: [] });
const ofAnyKind = fc.dictionary(fc.constantFrom(...Object.keys(members), ...references), value, { maxKeys: 4 });

const body = fc.oneof(
  { weight: 5, arbitrary: ofItsKind.map((fields) => JSON.stringify(fields)) },
  { weight: 3, arbitrary: ofAnyKind.map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.webQueryParameters() },
  { weight: 1, arbitrary: fc.constantFrom("", "{", '{"title":"x","metadata":{"a":1e999}}', '{"title":"\\ud800"}', `{"title":"x","input":[{"data":${"[".repeat(5000)}${"]".repeat(5000)}}]}`) },
);

const parameter = fc.tuple(fc.constantFrom("limit", "offset", "filter", "workspace_id", "__proto__", "limit[]"), nasty);
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((all) => all.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join("&"));

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ROUTES) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("tasks", "messages", "agent_tokens"), id).map(([of, text]) => `/api/v1/${of}/${encodeURIComponent(text.toWellFormed()).replaceAll(/%7B(\w+)%7D/g, "{$1}")}`) },
  { weight: 1, arbitrary: fc.webPath() },
  { weight: 1, arbitrary: fc.constantFrom("/api/v1/%", "/api/v1/%zz", "/api/v1//", "/api/v1/tasks/%2e%2e", "/api/v1/../v1/tasks", "//a/b", "/api/v1/tasks/%c0%80") },
);

/** A header's value as HTTP can carry it. */
const headerText = nasty.map((text) => Buffer.from(text).toString("latin1").replaceAll(/[^\x20-\x7e\x80-\xff]/g, "").trim());
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("Bearer {key}", "Bearer {token}") },
      { weight: 1, arbitrary: headerText },
      { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
    ),
    "content-type": fc.oneof({ weight: 6, arbitrary: fc.constant("application/json") }, { weight: 1, arbitrary: fc.constant("application/x-www-form-urlencoded") }, { weight: 1, arbitrary: headerText }),
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

const method = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("GET", "POST", "POST") },
  // DELETE would end the token that other runs come with; CONNECT is not answered by an HTTP server.
  { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((name) => name !== "CONNECT" && name !== "DELETE")) },
);

/** Puts what is there into the places that a request names. */
function filled(request: Required<RawRequest>, search: string): RawRequest {
  const fill = (text: string) =>
    text
      .replaceAll("{key}", world.apiKey)
      .replaceAll(/\{(task|message|token|agent)\}/g, (_, name: keyof typeof known) => known[name]);
  const sent = Object.entries(request.headers).map(([name, text]) => [name, fill(String(text))]);
  return {
    method: request.method,
    path: fill(request.path) + (search === "" ? "" : `?${search}`),
    headers: Object.fromEntries(sent),
    body: typeof request.body === "string" ? fill(request.body) : request.body,
  };
}

const LEAKS = /\n? {4}at |\.ts:\d|node_modules|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) .*\b(?:FROM|VALUES|SET|WHERE)\b|prisma|postgres/i;

function expectSound({ status, headers: received, text, body: parsed }: Answer, { method: asked }: RawRequest): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(LEAKS);
  const isEmpty = asked === "HEAD" || status === 204 || status === 304;
  if (isEmpty) {
    expect(text).toBe("");
    return;
  }
  const isProblem = status >= 400;
  expect(received.get("content-type")).toBe(isProblem ? "application/problem+json" : "application/json");
  expect(parsed).toBeInstanceOf(Object);
  if (isProblem) expect(parsed).toMatchObject({ status, code: expect.any(String), request_id: expect.any(String) });
}

/** Outside of /api/v1 other doors answer, in other kinds. */
function isOurs({ path: asked }: RawRequest): boolean {
  return new URL(asked, "http://x").pathname.startsWith("/api/v1/");
}

describe("/api/v1", () => {
  it("answers whatever it is asked, without a fault of its own and without telling of its inside", async () => {
    const property = fc.asyncProperty(method, path, headers, body, query, async (...random) => {
      const [asked, at, sent, content, search] = random;
      const request = filled({ method: asked, path: at, headers: sent, body: asked === "GET" || asked === "HEAD" ? "" : content }, search);
      fc.pre(isOurs(request));
      expectSound(await sendRaw(world.server.url, request), request);
    });
    await fc.assert(property, { numRuns: 1200 });
  });

  it("answers every body that a route is sent", async () => {
    const post = fc.constantFrom("/api/v1/tasks", "/api/v1/messages", "/api/v1/agent_tokens", "/api/v1/socket_tokens", "/api/v1/tokens/introspect");
    const property = fc.asyncProperty(post, body, async (at, content) => {
      const sent = { authorization: "Bearer {key}", "content-type": "application/json" };
      const request = filled({ method: "POST", path: at, headers: sent, body: content }, "");
      expectSound(await sendRaw(world.server.url, request), request);
    });
    await fc.assert(property, { numRuns: 1200 });
  });

  it("gives back the JSON of a message as it was sent", async () => {
    const clean = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }).filter((json) => !/__proto__|\\u0000|\\ud[89a-f]/i.test(JSON.stringify(json)));
    const property = fc.asyncProperty(clean, fc.uuid(), async (data, messageId) => {
      const json = JSON.stringify({ id: messageId, parts: [{ data }], metadata: { data } });
      const sent = await world.agent.post("/api/v1/messages", json);
      expect(sent.status).toBe(201);
      expect([sent.body.message.parts, sent.body.message.metadata]).toEqual(JSON.parse(JSON.stringify([[{ data }], { data }])));
      expect((await world.agent.post("/api/v1/messages", json)).status).toBe(200);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it("has logged no bug", () => {
    expect(world.server.logged.length).toBeGreaterThan(1000);
    expect(world.server.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
