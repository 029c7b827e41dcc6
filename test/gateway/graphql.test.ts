import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { createToken } from "../../src/auth/credentials.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../support/test-client.ts";
import { sendRawHttp } from "../support/raw-http.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const VIEWER = "{ viewer { scopes } }";

let server: TestServer;
let workspace: NewWorkspace;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await server.createWorkspace();
  agent = createTestClient(server.url, workspace.apiKey);
});

afterAll(() => server.close());

/** Expects an error in GraphQL's format without internal details. */
function expectRefused(
  { status, body, text }: TestAnswer,
  expected: { status: number; code?: string },
): void {
  expect(status).toBe(expected.status);
  expect(body.errors.length).toBeGreaterThan(0);
  expect(body.data ?? null).toBeNull();
  if (expected.code !== undefined) expect(body.errors[0].extensions.code).toBe(expected.code);
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|file:/);
}

async function tasksMade(): Promise<number> {
  const rows = await server.database.query("SELECT 1 FROM task WHERE workspace_id = $1", [
    workspace.workspaceId,
  ]);
  return rows.length;
}

async function mint(): Promise<{ id: string; token: string }> {
  return (await agent.post("/api/v1/agent_tokens")).body;
}

describe("POST /graphql: authentication", () => {
  const write = { query: 'mutation { createTask(input: { title: "x" }) { task { uuid } } }' };

  async function expectUnauthorized(bearer: string | undefined, challenge: RegExp): Promise<void> {
    const before = await tasksMade();
    const answer = await createTestClient(server.url, bearer).post("/graphql", write);
    expectRefused(answer, { status: 401, code: bearer === undefined ? "UNAUTHENTICATED" : "INVALID_TOKEN" });
    expect(answer.headers.get("www-authenticate")).toMatch(challenge);
    expect(answer.body.errors[0].extensions).toMatchObject({ status: 401 });
    expect(await tasksMade()).toBe(before);
  }

  it("rejects a request without a credential", () => expectUnauthorized(undefined, /^Bearer realm="[^"]+"$/));

  it.each([
    ["nonsense", () => "nonsense"],
    ["a well-formed unknown token", () => createToken("agent_token").secret],
    ["a socket token", () => createToken("socket_token").secret],
    ["a SCIM token", () => workspace.scimToken],
  ])("rejects %s", (_what, bearer) => expectUnauthorized(bearer(), /error="invalid_token"/));

  it("rejects a token that was revoked", async () => {
    const { id, token } = await mint();
    await agent.delete(`/api/v1/agent_tokens/${id}`);
    await expectUnauthorized(token, /error="invalid_token"/);
  });

  it("rejects an expired token, and says so", async () => {
    const { id, token } = await mint();
    await server.database.query("UPDATE agent_token SET expires_at = now() WHERE id = $1", [id]);
    await expectUnauthorized(token, /error="invalid_token", error_description="[^"]+"/);
  });

  it("rejects a token in the URL", async () => {
    const answer = await agent.post(`/graphql?access_token=${workspace.apiKey}`, write);
    expectRefused(answer, { status: 400, code: "INVALID_REQUEST" });
  });

  it("rejects before reading the body", async () => {
    const anonymous = createTestClient(server.url);
    for (const body of ["{", "", { query: "{ nonsense" }]) {
      expectRefused(await anonymous.post("/graphql", body), { status: 401, code: "UNAUTHENTICATED" });
    }
  });

  it("shows the schema only with a credential", async () => {
    const query = getIntrospectionQuery();
    const shown = await agent.graphql(query);
    expect(shown.body.errors).toBeUndefined();
    expect(shown.body.data.__schema.queryType.name).toBe("Query");
    expectRefused(await createTestClient(server.url).graphql(query), { status: 401 });
  });
});

describe("POST /graphql: request format", () => {
  it.each([
    ["a form", "application/x-www-form-urlencoded", `query=${encodeURIComponent(VIEWER)}`],
    ["a multipart form", "multipart/form-data; boundary=x", "--x\r\n\r\n--x--"],
    ["plain text", "text/plain", JSON.stringify({ query: VIEWER })],
    ["GraphQL itself", "application/graphql", VIEWER],
    ["JSON under another name", "application/json-patch+json", JSON.stringify({ query: VIEWER })],
  ])("rejects %s", async (_what, type, body) => {
    const answer = await agent.send("/graphql", { method: "POST", body, headers: { "content-type": type } });
    expectRefused(answer, { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  it("accepts any case and parameters of application/json", async () => {
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const answer = await agent.send("/graphql", { method: "POST", body: { query: VIEWER }, headers });
    expect(answer.body.data.viewer.scopes.length).toBeGreaterThan(0);
  });

  it.each(["PUT", "DELETE", "PATCH"])("rejects %s and names the allowed methods", async (method) => {
    const answer = await agent.send(`/graphql?query=${encodeURIComponent(VIEWER)}`, { method });
    expectRefused(answer, { status: 405, code: "METHOD_NOT_ALLOWED" });
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it.each<[string, unknown]>([
    ["malformed JSON", "{"],
    ["an empty body", ""],
    ["null", "null"],
    ["a list of requests", [{ query: VIEWER }]],
    ["no query", {}],
    ["a number as query", { query: 5 }],
    ["a string as variables", { query: VIEWER, variables: "x" }],
    ["an unknown member", { query: VIEWER, more: 1 }],
    ["an unknown operation", { query: `query A ${VIEWER}`, operationName: "B" }],
    ["two operations without a name", { query: `query A ${VIEWER} query B ${VIEWER}` }],
    ["a subscription", { query: "subscription { events { __typename } }" }],
  ])("rejects %s with 400", async (_what, body) => {
    expectRefused(await agent.post("/graphql", body), { status: 400 });
  });

  it.each([
    ["a syntax error", "{ viewer {"],
    ["an unknown field", "{ nonsense }"],
    ["an unknown argument", "{ tasks(nonsense: 1) { totalCount } }"],
    ["an unknown enum value", "{ tasks(filter: { status: NONSENSE }) { totalCount } }"],
    ["@defer, which is not supported", "{ viewer { scopes @defer } }"],
  ])("reports %s as an error of the document", async (_what, query) => {
    const headers = { accept: "application/graphql-response+json" };
    const faulty = await agent.send("/graphql", { method: "POST", body: { query }, headers });
    expectRefused(faulty, { status: 400 });
    // Clients that accept plain JSON get errors with status 200, as specified by GraphQL over HTTP.
    expectRefused(await agent.graphql(query), { status: 200 });
    const known = /^(INVALID_REQUEST|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$/;
    expect(faulty.body.errors[0].extensions.code).toMatch(known);
  });

  it.each([
    ["is missing", {}],
    ["is of another type", { a: "x" }],
    ["is too large for its type", { a: 2 ** 31 }],
  ])("executes nothing if a variable %s", async (_what, variables) => {
    const answer = await agent.graphql("query ($a: Int!) { tasks(first: $a) { totalCount } }", variables);
    expectRefused(answer, { status: 200, code: "INVALID_REQUEST" });
  });

  it.each(["text/event-stream", "multipart/mixed"])("opens no stream for Accept: %s", async (accept) => {
    for (const query of [
      "subscription { events { __typename } }",
      "subscription { events }",
      "{ nonsense }",
    ]) {
      const answer = await agent.send("/graphql", { method: "POST", body: { query }, headers: { accept } });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toMatch(/^application\/graphql-response\+json/);
    }
  });

  it("rejects a body of more than 512 KiB, with or without Content-Length", async () => {
    const body = JSON.stringify({ query: VIEWER, variables: { padding: "x".repeat(524_288) } });
    const headers = { authorization: `Bearer ${workspace.apiKey}`, "content-type": "application/json" };
    for (const framing of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const sent = { method: "POST", path: "/graphql", headers: { ...headers, ...framing }, body };
      const answer = await sendRawHttp(server.url, sent);
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text).errors[0].extensions.code).toBe("PAYLOAD_TOO_LARGE");
    }
  });
});
