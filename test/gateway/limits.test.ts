import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENT_LIMITS } from "../../src/gateway/limits.ts";
import { OPERATION_COST } from "../../src/schema/price-operations.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../support/test-client.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { agentSocket } from "../support/socket-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let agent: TestClient;
let apiKey: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

afterAll(() => server.close());

/** `text(0) text(1) ...`, this many times. */
function repeat(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(" ");
}

/** A query within this many fragments. */
function nested(depth: number): string {
  const inner = repeat(depth, () => "... on Query {") + " viewer { scopes } " + "}".repeat(depth);
  return `{ ${inner} }`;
}

function expectRefused({ status, body }: TestAnswer): void {
  expect(status).toBe(400);
  expect(body.data ?? null).toBeNull();
  expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
}

function expectAnswered({ body }: TestAnswer): void {
  expect(body.errors).toBeUndefined();
  expect(body.data).toBeTruthy();
}

/** The introspection query of common tools. */
const INTROSPECTION = getIntrospectionQuery({
  ...{ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
  ...{ inputValueDeprecation: true, oneOf: true },
});

/** An agent of a new workspace without earlier requests. */
async function freshAgent(): Promise<TestClient> {
  const { apiKey } = await server.createWorkspace();
  return createTestClient(server.url, apiKey);
}

describe("an introspection query", () => {
  it("is executed completely, as tools send it", async () => {
    const fresh = await freshAgent();
    const { status, body } = await fresh.graphql(INTROSPECTION);
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
    expect(body.data.__schema.types.length).toBeGreaterThan(100);
    expectAnswered(await fresh.graphql('{ __type(name: "Task") { fields { name type { name } } } }'));
  });

  it.each([
    [
      "aliases of the whole schema in fragments",
      `{ ...A } fragment A on Query { ${repeat(90, (index) => `a${index}: __schema { ...T }`)} }
       fragment T on __Schema { types { fields { ${repeat(130, (index) => `b${index}: type { name }`)} } } }`,
    ],
    [
      "aliases of __typename in its fields",
      `{ __schema { types { fields { args { type { ${repeat(600, (index) => `a${index}: __typename`)} } } } } } }`,
    ],
    [
      "aliases of one type",
      `{ ${repeat(150, (index) => `a${index}: __type(name: "Mutation") { ...T }`)} }
       fragment T on __Type { fields { args { type { name kind } } type { fields { name } } } }`,
    ],
  ])("is stopped if it grows without bound, by %s", { timeout: 20_000 }, async (_how, query) => {
    const { apiKey } = await server.createWorkspace();
    expectRefused(await createTestClient(server.url, apiKey).graphql(query));
    const socket = await agentSocket(server.url, apiKey);
    socket.send({ type: "subscribe", id: "greedy", payload: { query } });
    const { payload } = await socket.next();
    expect((payload.errors ?? payload)[0].extensions.code).toBe("INVALID_REQUEST");
    socket.socket.close();
  });

  it("is limited per second and workspace", async () => {
    const fresh = await freshAgent();
    const other = await freshAgent();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => fresh.graphql('{ __type(name: "Task") { name } }')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body } of refused) expect(body.errors[0].extensions.code).toBe("RATE_LIMITED");
    expectAnswered(await other.graphql('{ __type(name: "Task") { name } }'));
    expectAnswered(await fresh.graphql("{ viewer { scopes } }"));
  });
});

describe("a response", () => {
  it("is stopped when it becomes too large", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    const text = "x".repeat(200_000);
    for (let made = 0; made < 10; made++) await createTask(ctx, { title: "Big", input: [{ text }] });
    const fresh = createTestClient(server.url, apiKey);
    const pages = (count: number) =>
      `{ ${repeat(count, (index) => `a${index}: tasks(first: 10) { nodes { input } }`)} }`;
    expectAnswered(await fresh.graphql(pages(2)));
    expectRefused(await fresh.graphql(pages(4)));
  });
});

describe("a document", () => {
  it("is executed up to the allowed breadth, and rejected beyond it", async () => {
    const document = (fields: number) => `{ ${repeat(fields, (index) => `a${index}: __typename`)} }`;
    expectAnswered(await agent.graphql(document(DOCUMENT_LIMITS.breadth)));
    expectRefused(await agent.graphql(document(DOCUMENT_LIMITS.breadth + 1)));
  });

  it("is executed up to the allowed complexity, and rejected beyond it", async () => {
    // A page of 100 with one field per node: 1 + 100 * (nodes + uuid), and the operation's own.
    const document = (pages: number) =>
      `{ ${repeat(pages, (index) => `a${index}: tasks(first: 100) { nodes { uuid } }`)} }`;
    const allowed = Math.floor(DOCUMENT_LIMITS.complexity / (201 + OPERATION_COST.query));
    expectAnswered(await agent.graphql(document(allowed)));
    expectRefused(await agent.graphql(document(allowed + 1)));
  });

  it("can request a full page of full tasks", async () => {
    const fields =
      "uuid title status queue priority input labels metadata createdBy { type uuid name } createdAt";
    expectAnswered(await agent.graphql(`{ tasks(first: 100) { totalCount nodes { ${fields} } } }`));
    expectAnswered(await agent.graphql(`{ tasks(first: 100) { edges { cursor node { ${fields} } } } }`));
  });

  it("costs no more for a huge page than for the largest, which the use case rejects", async () => {
    for (const first of [101, 2_000_000_000, -1, -2_000_000_000]) {
      const { body } = await agent.graphql(`{ tasks(first: ${first}) { nodes { uuid } } }`);
      expect(body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field: "first" });
    }
  });

  it("is priced with its variables", async () => {
    const query = `query ($first: Int) { ${repeat(60, (index) => `a${index}: tasks(first: $first) { nodes { uuid } }`)} }`;
    expectAnswered(await agent.graphql(query, { first: 10 }));
    expectRefused(await agent.graphql(query, { first: 100 }));
  });

  it("is priced by the executed operation only", async () => {
    const pages = repeat(60, (index) => `a${index}: tasks(first: 100) { nodes { uuid } }`);
    const query = `query Small { __typename } query Large { ${pages} }`;
    expectAnswered(await agent.post("/graphql", { query, operationName: "Small" }));
    expectRefused(await agent.post("/graphql", { query, operationName: "Large" }));
    const socket = await agentSocket(server.url, apiKey);
    socket.send({ type: "subscribe", id: "large", payload: { query, operationName: "Large" } });
    const { payload } = await socket.next();
    expect((payload.errors ?? payload)[0].extensions.code).toBe("INVALID_REQUEST");
    socket.socket.close();
  });

  it("gets one short error for forty thousand invalid variables", async () => {
    const query = "query ($filter: TaskFilter) { tasks(filter: $filter) { totalCount } }";
    const filter = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1]));
    const { body } = await agent.graphql(query, { filter });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
    expect(JSON.stringify(body).length).toBeLessThan(1000);
  });

  it("gets errors without long quotes", async () => {
    const name = "A".repeat(60_000);
    const { body } = await agent.graphql(
      `query ${name} { ${repeat(50, (index) => `a${index}: node(id: $v${index}) { id }`)} }`,
    );
    expect(body.errors.length).toBeGreaterThan(10);
    expect(JSON.stringify(body).length).toBeLessThan(60_000);
  });

  it("is rejected above 65,536 characters, including comments", async () => {
    const query = "{ __typename } #";
    expectAnswered(await agent.graphql(query.padEnd(65_536, "x")));
    expectRefused(await agent.graphql(query.padEnd(65_537, "x")));
  });

  it.each(["\n", "\r", "\r\n"])("is rejected above 2000 lines, which end with %j", async (end) => {
    expectAnswered(await agent.graphql(`${end.repeat(1999)}{ __typename }`));
    const query = `${end.repeat(2000)}{ __typename }`;
    const message = "The document can have at most 2000 lines.";
    const { body } = await agent.graphql(query);
    expect(body).toMatchObject({ errors: [{ message, extensions: { code: "INVALID_REQUEST" } }] });
    const socket = await agentSocket(server.url, apiKey);
    socket.send({ type: "subscribe", id: "lines", payload: { query } });
    const { payload } = await socket.next();
    expect(payload).toMatchObject([{ message, extensions: { code: "INVALID_REQUEST" } }]);
    socket.socket.close();
  });

  it("is rejected with hundreds of aliased fields", async () => {
    expectRefused(await agent.graphql(`{ ${repeat(300, (index) => `a${index}: viewer { scopes }`)} }`));
    const mutation = repeat(
      600,
      (index) => `a${index}: createTask(input: { title: "x" }) { clientMutationId }`,
    );
    const { body } = await agent.graphql(`mutation { ${mutation} }`);
    expect(body.data ?? null).toBeNull();
    expect(body.errors[0].extensions.code).toBe("GRAPHQL_PARSE_FAILED");
    const made = await agent.graphql("{ tasks { totalCount } }");
    expect(made.body.data.tasks.totalCount).toBe(0);
  });

  it.each(["{a", "[", "{tasks(filter:{a:", "query($a:["])(
    "is rejected as a client error if it opens %j thousands of times",
    async (opened) => {
      const { status, body } = await agent.graphql(opened.repeat(60_000).slice(0, 60_000));
      expect(status).toBeLessThan(500);
      expect(body.data ?? null).toBeNull();
      expect(body.errors[0].extensions.code).toBe("GRAPHQL_PARSE_FAILED");
    },
  );

  it("is rejected for cyclic fragments", async () => {
    for (const query of [
      "{ ...A } fragment A on Query { ...A }",
      "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
      "{ viewer { ...A } } fragment A on Viewer { scopes ...B } fragment B on Viewer { actor { name } ...A }",
    ]) {
      const { body } = await agent.graphql(query);
      expect(body.data ?? null).toBeNull();
      expect(body.errors[0].extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
    }
  });

  it("is rejected at once for fragments that double forty times", async () => {
    const fragments = repeat(
      40,
      (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    );
    expectRefused(await agent.graphql(`{ ...F0 } ${fragments} fragment F40 on Query { viewer { scopes } }`));
  });

  it("is rejected at once for ten thousand repetitions", async () => {
    for (const word of ["__typename", "viewer { scopes }", "...A"]) {
      const query = `{ ${repeat(10_000, () => word)} } fragment A on Query { __typename }`;
      const { status, body } = await agent.graphql(query);
      expect(status).toBeLessThan(500);
      expect(body.errors.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ["one field", `{ ${repeat(400, () => "viewer { __typename }")} }`],
    ["one field in inline fragments", `{ ${repeat(200, () => "... { viewer { __typename } }")} }`],
    [
      "fields of fields",
      `{ ${repeat(12, () => `viewer { ${repeat(12, () => `actor { ${repeat(8, () => "name")} }`)} }`)} }`,
    ],
    [
      "fragments",
      `{ ${repeat(110, (at) => `...F${at}`)} } ${repeat(110, (at) => `fragment F${at} on Query { __typename }`)}`,
    ],
  ])("is rejected before validation if it repeats %s", async (_what, query) => {
    const { body } = await agent.graphql(query);
    expect(body.data ?? null).toBeNull();
    expect(body.errors[0].message).toContain("too often");
  });

  it("is rejected at once for deeply nested introspection", async () => {
    const deep = repeat(10, () => "fields { type {") + " name " + "} }".repeat(10);
    const { body } = await agent.graphql(`{ __schema { types { ${deep} } } }`);
    expect(body.data ?? null).toBeNull();
    expect(body.errors[0].extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
  });

  it("is accepted if it nests deeply without selecting deeply", async () => {
    expectAnswered(await agent.graphql(nested(100)));
  });

  it("is rejected, and harmless, if it nests ten thousand times", async () => {
    const { status } = await agent.graphql(nested(10_000));
    expect(status).toBeLessThan(500);
    expectAnswered(await agent.graphql("{ viewer { scopes } }"));
  });
});
