import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../support/test-client.ts";
import { clientTypes } from "../support/client-types.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("the types of @agent-ops/client", () => {
  it("are those of /api/v1/openapi.json", async () => {
    const { body } = await createTestClient(server.url).get("/api/v1/openapi.json");
    await expect(clientTypes(body)).toMatchFileSnapshot("../../src/client/api-types.ts");
  });
});
