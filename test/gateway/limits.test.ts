import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENT_LIMITS } from "../../src/gateway/limits.ts";
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

/** `text(0) text(1) ...`, so many times. */
function repeat(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(" ");
}

/** A query within so many fragments. */
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

/** What the documents of the whole schema ask for that tools send. */
const INTROSPECTION = getIntrospectionQuery({
  ...{ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
  ...{ inputValueDeprecation: true, oneOf: true },
});

/** An agent of a workspace of its own, which nobody else has asked anything of. */
async function freshAgent(): Promise<TestClient> {
  const { apiKey } = await server.createWorkspace();
  return createTestClient(server.url, apiKey);
}

describe("a document that asks for the schema", () => {
  it("is answered whole, as tools send it", async () => {
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
  ])("ends where it grows without end, by %s", { timeout: 20_000 }, async (_how, query) => {
    const { apiKey } = await server.createWorkspace();
    expectRefused(await createTestClient(server.url, apiKey).graphql(query));
    const socket = await agentSocket(server.url, apiKey);
    socket.send({ type: "subscribe", id: "greedy", payload: { query } });
    const { payload } = await socket.next();
    expect((payload.errors ?? payload)[0].extensions.code).toBe("INVALID_REQUEST");
    socket.socket.close();
  });

  it("is answered some times a second, for each workspace", async () => {
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

describe("an answer", () => {
  it("ends where it holds more than a process should hold of one", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace();
    const ctx = server.systemCtx(workspaceId);
    const text = "x".repeat(200_000);
    for (let made = 0; made < 10; made++) await createTask(ctx, { title: "Big", input: [{ text }] });
    const fresh = createTestClient(server.url, apiKey);
    const pages = (count: number) =>
      `{ ${repeat(count, (index) => `a${index}: tasks(first: 10) { nodes { input } }`)} }`;
    expectAnswered(await fresh.graphql(pages(7)));
    expectRefused(await fresh.graphql(pages(10)));
  });
});

describe("a document", () => {
  it("is answered up to the breadth that is allowed, and refused beyond it", async () => {
    const document = (fields: number) => `{ ${repeat(fields, (index) => `a${index}: __typename`)} }`;
    expectAnswered(await agent.graphql(document(DOCUMENT_LIMITS.breadth)));
    expectRefused(await agent.graphql(document(DOCUMENT_LIMITS.breadth + 1)));
  });

  it("is answered up to the complexity that is allowed, and refused beyond it", async () => {
    // A page of 100 with one field a node: 1 + 100 * (nodes + uuid).
    const document = (pages: number) =>
      `{ ${repeat(pages, (index) => `a${index}: tasks(first: 100) { nodes { uuid } }`)} }`;
    const allowed = Math.floor(DOCUMENT_LIMITS.complexity / 201);
    expectAnswered(await agent.graphql(document(allowed)));
    expectRefused(await agent.graphql(document(allowed + 1)));
  });

  it("may ask for a whole page of whole tasks", async () => {
    const fields =
      "uuid title status queue priority input labels metadata createdBy { type uuid name } createdAt";
    expectAnswered(await agent.graphql(`{ tasks(first: 100) { totalCount nodes { ${fields} } } }`));
    expectAnswered(await agent.graphql(`{ tasks(first: 100) { edges { cursor node { ${fields} } } } }`));
  });

  it("pays for a huge page no more than for the largest that there is, and is refused by the verb", async () => {
    for (const first of [101, 2_000_000_000, -1, -2_000_000_000]) {
      const { body } = await agent.graphql(`{ tasks(first: ${first}) { nodes { uuid } } }`);
      expect(body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field: "first" });
    }
  });

  it("is counted with the variables that it came with", async () => {
    const query = `query ($first: Int) { ${repeat(60, (index) => `a${index}: tasks(first: $first) { nodes { uuid } }`)} }`;
    expectAnswered(await agent.graphql(query, { first: 10 }));
    expectRefused(await agent.graphql(query, { first: 100 }));
  });

  it("is weighed by the operation that is executed, wherever it stands", async () => {
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

  it("is refused by one short error where its variables have forty thousand faults", async () => {
    const query = "query ($filter: TaskFilter) { tasks(filter: $filter) { totalCount } }";
    const filter = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1]));
    const { body } = await agent.graphql(query, { filter });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
    expect(JSON.stringify(body).length).toBeLessThan(1000);
  });

  it("is told its faults without what it says at length", async () => {
    const name = "A".repeat(60_000);
    const { body } = await agent.graphql(
      `query ${name} { ${repeat(50, (index) => `a${index}: node(id: $v${index}) { id }`)} }`,
    );
    expect(body.errors.length).toBeGreaterThan(10);
    expect(JSON.stringify(body).length).toBeLessThan(60_000);
  });

  it("is refused above 65,536 characters, comments and all", async () => {
    const query = "{ __typename } #";
    expectAnswered(await agent.graphql(query.padEnd(65_536, "x")));
    expectRefused(await agent.graphql(query.padEnd(65_537, "x")));
  });

  it("is refused with fields by the hundred under aliases", async () => {
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
    "is refused as the caller's fault where it opens %j thousands of times",
    async (opened) => {
      const { status, body } = await agent.graphql(opened.repeat(60_000).slice(0, 60_000));
      expect(status).toBeLessThan(500);
      expect(body.data ?? null).toBeNull();
      expect(body.errors[0].extensions.code).toBe("GRAPHQL_PARSE_FAILED");
    },
  );

  it("is refused where its fragments spread each other in a circle", async () => {
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

  it("is refused at once where its fragments double themselves forty times", async () => {
    const fragments = repeat(
      40,
      (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    );
    expectRefused(await agent.graphql(`{ ...F0 } ${fragments} fragment F40 on Query { viewer { scopes } }`));
  });

  it("is refused at once where it says the same thing ten thousand times", async () => {
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
  ])("is refused before it is validated where it repeats %s", async (_what, query) => {
    const { body } = await agent.graphql(query);
    expect(body.data ?? null).toBeNull();
    expect(body.errors[0].message).toContain("too often");
  });

  it("is refused at once where it asks the schema for fields of types of fields of types", async () => {
    const deep = repeat(10, () => "fields { type {") + " name " + "} }".repeat(10);
    const { body } = await agent.graphql(`{ __schema { types { ${deep} } } }`);
    expect(body.data ?? null).toBeNull();
    expect(body.errors[0].extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
  });

  it("is read though it nests deeply without asking deeply", async () => {
    expectAnswered(await agent.graphql(nested(100)));
  });

  it("is refused, not fatal, where it nests ten thousand times", async () => {
    const { status } = await agent.graphql(nested(10_000));
    expect(status).toBeLessThan(500);
    expectAnswered(await agent.graphql("{ viewer { scopes } }"));
  });

  it("counts as several requests where it is worth several", async () => {
    const limited = await startTestServer({ RATE_LIMIT: "20" });
    try {
      const { apiKey } = await limited.createWorkspace();
      const caller = createTestClient(limited.url, apiKey);
      const costly = `{ ${repeat(40, (index) => `a${index}: tasks(first: 100) { nodes { uuid } }`)} }`;
      const answers = await Promise.all(Array.from({ length: 6 }, () => caller.graphql(costly)));
      expect(answers.map(({ status }) => status)).toContain(429);
    } finally {
      await limited.close();
    }
  });
});
