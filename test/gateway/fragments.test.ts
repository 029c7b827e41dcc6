import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, startTestServer } from "../support/server.ts";
import { agentSocket } from "../support/socket-client.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";

let server: TestServer;
let apiKey: string;
let agent: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  ({ apiKey } = await server.createWorkspace());
  agent = createTestClient(server.url, apiKey);
});

afterAll(() => server.close());

/** A document of this many fragments, each of which uses the next one and another. */
function createCycles(count: number, other: (index: number) => number): string {
  const fragments = Array.from(
    { length: count },
    (_, index) => `fragment F${index} on Query { ...F${(index + 1) % count} ...F${other(index) % count} }`,
  );
  return `{ ...F0 } ${fragments.join(" ")}`;
}

describe("fragments that use each other", () => {
  it.each([1, 2, 100, 160, 180])("are refused over HTTP and sockets: %i", async (count) => {
    const query = createCycles(count, (index) => index * 7 + 3);
    const { body } = await agent.graphql(query);
    const socket = await agentSocket(server.url, apiKey);
    socket.send({ type: "subscribe", id: "cycles", payload: { query } });
    const { payload } = await socket.next();
    socket.socket.close();
    for (const errors of [body.errors, payload]) {
      expect(errors[0].message).toMatch(/uses itself|at most 100 fragments/);
    }
  });
});
