import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClient } from "../support/test-client.ts";
import { lockTable } from "../support/locked-table.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const INSIDE = /prisma|postgres|column|relation|queue|agent_token|select|invocation/i;

/** Each test breaks its own server. */
let server: TestServer;
let apiKey: string;

beforeEach(async () => {
  server = await startTestServer();
  ({ apiKey } = await server.createWorkspace());
});

afterEach(() => server.close());

type LogLine = { level: number; requestId?: string; err?: { message: string; stack: string } };

function errorsLogged(): LogLine[] {
  return server.logged.map((line): LogLine => JSON.parse(line)).filter(({ level }) => level >= 50);
}

describe("an unexpected failure over GraphQL", () => {
  it.each([
    ["a list", "ALTER TABLE task DROP COLUMN queue", "{ tasks { nodes { uuid } } }"],
    [
      "a mutation",
      "ALTER TABLE task DROP COLUMN queue",
      'mutation { createTask(input: { title: "x" }) { task { uuid } } }',
    ],
    ["a missing table", "DROP TABLE socket_token, agent_token", "{ agentTokens { uuid } }"],
    ["a row that can't be returned", "UPDATE agent SET name = NULL", "{ agents { nodes { name } } }"],
  ])("shows no details and is logged with its request (%s)", async (what, breaks, query) => {
    if (what.startsWith("a row"))
      await server.database.query("ALTER TABLE agent ALTER COLUMN name DROP NOT NULL");
    const client = createTestClient(server.url, apiKey);
    await client.graphql("{ viewer { scopes } }");
    await server.database.query(breaks);
    const headers = { "x-request-id": `request-${crypto.randomUUID()}` };
    const { body, text, headers: answered } = await client.post("/graphql", { query }, headers);
    const shown = { message: expect.any(String), locations: expect.any(Array), path: expect.any(Array) };
    expect(body).toEqual({ errors: [{ ...shown, extensions: { code: "INTERNAL" } }], data: null });
    expect(body.errors[0].message).not.toMatch(INSIDE);
    expect(text).not.toMatch(/\bat .+:\d+|node_modules/);
    expect(answered.get("x-request-id")).toBe(headers["x-request-id"]);
    const [logged, ...more] = errorsLogged();
    expect(more).toEqual([]);
    expect(logged?.requestId).toBe(headers["x-request-id"]);
    expect(logged?.err?.stack).toMatch(/\n\s+at /);
  });

  it("logs no secret and no password hash with it", async () => {
    const client = createTestClient(server.url, apiKey);
    await server.database.query("ALTER TABLE agent_token DROP COLUMN name");
    const { body } = await client.graphql("mutation { createAgentToken(input: {}) { token } }");
    expect(body.errors[0].extensions.code).toBe("INTERNAL");
    const log = server.logged.join("\n");
    expect(errorsLogged().length).toBeGreaterThan(0);
    expect(log).not.toContain(apiKey);
    expect(log).not.toMatch(/ag[ktsp]_[0-9A-Za-z]{16}/);
  });
});

describe("a domain error over GraphQL", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "a value out of range",
      { title: "x", priority: 10 },
      { code: "VALIDATION_FAILED", status: 422, type: "/problems/validation-failed", field: "priority" },
    ],
    [
      "several at once",
      { title: "", priority: -1 },
      { code: "VALIDATION_FAILED", errors: [{ field: "title" }, { field: "priority" }] },
    ],
    [
      "an id of another type",
      { title: "x", parentTaskId: Buffer.from(`Agent:${crypto.randomUUID()}`).toString("base64") },
      { code: "VALIDATION_FAILED", field: "parentTaskId" },
    ],
    ["text that can't be stored", { title: "a\0b" }, { code: "VALIDATION_FAILED", field: "title" }],
    ["half a surrogate pair", { title: "a\ud800b" }, { code: "VALIDATION_FAILED", field: "title" }],
    [
      "the same, deep in JSON",
      { title: "x", metadata: { a: ["\0"] } },
      { code: "VALIDATION_FAILED", field: "metadata" },
    ],
  ])("has code, status, type and field for %s", async (_what, input, extensions) => {
    const query = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { uuid } } }";
    const { status, body } = await createTestClient(server.url, apiKey).graphql(query, { input });
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({ path: ["createTask"], extensions });
    expect(errorsLogged()).toEqual([]);
  });

  it("is returned when the database connection breaks, and the next request succeeds", async () => {
    const client = createTestClient(server.url, apiKey);
    const write = 'mutation { createTask(input: { title: "x" }) { task { uuid } } }';
    const lists = "{ tasks { totalCount } }";
    for (const query of [write, lists]) {
      const table = await lockTable(server.database, "task");
      const asked = client.graphql(query);
      const [pid] = await table.waiters(1);
      await server.database.query("SELECT pg_terminate_backend($1)", [pid]);
      const { body } = await asked;
      await table.release();
      expect(body.errors[0].extensions).toEqual({
        code: "UNAVAILABLE",
        status: 503,
        type: "/problems/unavailable",
      });
      expect((await client.graphql(query)).body.errors).toBeUndefined();
    }
    expect(errorsLogged()).toEqual([]);
  });
});
