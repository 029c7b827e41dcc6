import { afterAll, beforeAll, describe, it } from "vitest";
import { expectDrained } from "../support/drain.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("20 workers with randomly killed processes", () => {
  it("complete 5,000 tasks once, each with one effect", async () => {
    await expectDrained(server, { tasks: 5000, timeoutMs: 600_000 });
  }, 660_000);
});
