import { afterAll, beforeAll, describe, it } from "vitest";
import { expectDrained } from "../../support/drain.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("20 workers with randomly killed processes", () => {
  it("complete 500 tasks once, each with one effect", async () => {
    await expectDrained(server, { tasks: 500, timeoutMs: 90_000 });
  }, 120_000);
});
