import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, startTestServer } from "../support/server.ts";
import { type TestAnswer, type TestClient, createTestClient } from "../support/test-client.ts";

let server: TestServer;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  const { apiKey } = await server.createWorkspace();
  agent = createTestClient(server.url, apiKey);
});

afterAll(() => server.close());

/** A document of this many operations. */
function repeat(count: number, kind: "query" | "mutation", field: string): string {
  return `${kind} { ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(" ")} }`;
}

function expectRefused({ status, body }: TestAnswer): void {
  expect(status).toBe(400);
  expect(body.errors[0].message).toMatch(/complexity/);
}

describe("an operation of a document", () => {
  it("costs a transaction, however little it selects", async () => {
    const check = String.raw`checkGateway(input: { requestText: "{}" }) { check { uuid } }`;
    expectRefused(await agent.graphql(repeat(50, "mutation", check)));
    const { body } = await agent.graphql(repeat(2, "mutation", check));
    expect(body.errors[0].extensions.code).toBe("VALIDATION_FAILED");
  });

  it("costs what its use case computes", async () => {
    const rule = `{ name: "a", effect: DENY, actions: ["*"], when: "!args.a" }`;
    const validate = `validatePolicy(rule: ${rule}) { errors { message } }`;
    const { body } = await agent.graphql(repeat(9, "query", validate));
    expect(body.errors).toBeUndefined();
    expectRefused(await agent.graphql(repeat(10, "query", validate)));
  });

  it.each([
    [35, "tasks(first: 100) { nodes { uuid } }"],
    [100, "tasks(first: 0) { totalCount }"],
  ])("counts as a request of its own, where %i cost as much: %s", async (count, field) => {
    const limited = await startTestServer({ RATE_LIMIT: "20" });
    try {
      const { apiKey } = await limited.createWorkspace();
      const caller = createTestClient(limited.url, apiKey);
      const costly = repeat(count, "query", field);
      const answers = await Promise.all(Array.from({ length: 6 }, () => caller.graphql(costly)));
      expect(answers.map(({ status }) => status)).toContain(429);
    } finally {
      await limited.close();
    }
  });
});
