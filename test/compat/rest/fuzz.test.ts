import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { body, headers, method, path, query } from "../../support/arbitrary-requests.ts";
import type { TestAnswer } from "../../support/test-client.ts";
import { type RawRequest, sendRaw } from "../../support/raw-request.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { runs } from "../../support/property-runs.ts";

let world: TestWorld;
/** Ids of existing rows, so that fuzzed requests find something. */
let known: { task: string; message: string; token: string; agent: string; run: string };

beforeAll(async () => {
  world = await createWorld();
  const task = (await world.agent.post("/api/v1/tasks", { title: "x" })).body.task.id;
  const message = (await world.agent.post("/api/v1/messages", { parts: [{ text: "x" }], kind: "question" }))
    .body.message.id;
  const minted = (await world.agent.post("/api/v1/agent_tokens")).body;
  const run = (await world.agent.post("/api/v1/eval_runs", { suite: "x", name: "x" })).body.eval_run.id;
  known = { task, message, token: minted.token, agent: minted.agent_id, run };
});

afterAll(() => world.server.close());

/** Fills in the ids of existing rows. */
function fillPlaceholders(request: Required<RawRequest>, search: string): RawRequest {
  const fill = (text: string) =>
    text
      .replaceAll("{key}", world.apiKey)
      .replaceAll(/\{(task|message|token|agent|run)\}/g, (_, name: keyof typeof known) => known[name]);
  const sent = Object.entries(request.headers).map(([name, text]) => [name, fill(String(text))]);
  return {
    method: request.method,
    path: fill(request.path) + (search === "" ? "" : `?${search}`),
    headers: Object.fromEntries(sent),
    body: typeof request.body === "string" ? fill(request.body) : request.body,
  };
}

const LEAKS =
  /\n? {4}at |\.ts:\d|node_modules|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) .*\b(?:FROM|VALUES|SET|WHERE)\b|prisma|postgres/i;

function expectSound(
  { status, headers: received, text, body: parsed }: TestAnswer,
  { method: asked }: RawRequest,
): void {
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
  if (isProblem)
    expect(parsed).toMatchObject({ status, code: expect.any(String), request_id: expect.any(String) });
}

/** Other paths belong to other APIs, with other kinds of responses. */
function isOurs({ path: asked }: RawRequest): boolean {
  return new URL(`http://x${asked}`).pathname.startsWith("/api/v1/");
}

describe("/api/v1", () => {
  it("responds to any request without an internal error or internal details", async () => {
    const property = fc.asyncProperty(method, path, headers, body, query, async (...random) => {
      const [asked, at, sent, content, search] = random;
      const request = fillPlaceholders(
        { method: asked, path: at, headers: sent, body: asked === "GET" || asked === "HEAD" ? "" : content },
        search,
      );
      fc.pre(isOurs(request));
      expectSound(await sendRaw(world.server.url, request), request);
    });
    await fc.assert(property, { numRuns: runs(500) });
  });

  it("responds to any body", async () => {
    const post = fc.constantFrom(
      "/api/v1/tasks",
      "/api/v1/messages",
      "/api/v1/agent_tokens",
      "/api/v1/socket_tokens",
      "/api/v1/tokens/introspect",
      "/api/v1/tasks/claim",
      "/api/v1/tasks/{task}/complete",
      "/api/v1/tasks/{task}/fail",
      "/api/v1/tasks/{task}/heartbeat",
      "/api/v1/tasks/{task}/reject",
      "/api/v1/eval_runs",
      "/api/v1/eval_runs/{run}/results",
    );
    const property = fc.asyncProperty(post, body, async (at, content) => {
      const sent = { authorization: "Bearer {key}", "content-type": "application/json" };
      const request = fillPlaceholders({ method: "POST", path: at, headers: sent, body: content }, "");
      expectSound(await sendRaw(world.server.url, request), request);
    });
    await fc.assert(property, { numRuns: runs(500) });
  });

  it("returns the JSON of a message as it was sent", async () => {
    const clean = fc
      .jsonValue({ maxDepth: 4, noUnicodeString: false })
      .filter((json) => !/__proto__|\\u0000|\\ud[89a-f]/i.test(JSON.stringify(json)));
    const property = fc.asyncProperty(clean, fc.uuid(), async (data, messageId) => {
      const json = JSON.stringify({ id: messageId, parts: [{ data }], metadata: { data } });
      const sent = await world.agent.post("/api/v1/messages", json);
      expect(sent.status).toBe(201);
      expect([sent.body.message.parts, sent.body.message.metadata]).toEqual(
        JSON.parse(JSON.stringify([[{ data }], { data }])),
      );
      expect((await world.agent.post("/api/v1/messages", json)).status).toBe(200);
    });
    await fc.assert(property, { numRuns: runs(60) });
  });

  it("has logged no errors", () => {
    expect(world.server.logged.length).toBeGreaterThan(1000);
    expect(world.server.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
