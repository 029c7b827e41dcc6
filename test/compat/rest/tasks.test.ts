import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../support/client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let agent: Client;

beforeAll(async () => {
  server = await startTestServer();
  const { apiKey } = await server.createWorkspace();
  agent = createClient(server.url, apiKey);
});

afterAll(() => server.close());

describe("POST /api/v1/tasks", () => {
  it("creates a task that the lists show first", async () => {
    const made = await agent.post("/api/v1/tasks", { title: "Refund order 42" });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/api/v1/tasks/${made.body.task.id}`);
    const listed = await agent.get("/api/v1/tasks?limit=1");
    expect(listed.body.tasks[0]).toEqual(made.body.task);
  });
});
