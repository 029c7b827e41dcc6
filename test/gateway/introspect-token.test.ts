import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeyWith } from "../support/callers.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { createTestClient } from "../support/test-client.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("introspectToken", () => {
  it("requires no scope for the caller's own credential", async () => {
    const query = "query ($token: String!) { introspectToken(token: $token) { kind } }";
    const { workspaceId } = await server.createWorkspace();
    const key = await createKeyWith(server, workspaceId, ["events:read"]);
    const { body } = await createTestClient(server.url, key).graphql(query, { token: key });
    expect(body.data.introspectToken).toEqual({ kind: "API_KEY" });
  });
});
