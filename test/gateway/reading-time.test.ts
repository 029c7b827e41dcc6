import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createReadingTime } from "../../src/gateway/reading-time.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** Simulates using this much CPU time. */
function work(ms: number): void {
  vi.spyOn(process, "cpuUsage").mockReturnValueOnce({ user: ms * 1000, system: 0 });
}

describe("the time to read documents", () => {
  it("is limited per workspace and refills", async () => {
    const reading = createReadingTime();
    expect(reading.spend("one", () => "read")).toBe("read");
    expect(reading.isUsedUp("one")).toBe(false);
    reading.spend("one", () => work(2100));
    expect(reading.isUsedUp("one")).toBe(true);
    expect(reading.isUsedUp("another")).toBe(false);
    await expect.poll(() => reading.isUsedUp("one")).toBe(false);
  });

  it("counts failed documents", () => {
    const reading = createReadingTime();
    const fail = () => {
      work(2100);
      throw new Error("no document");
    };
    expect(() => reading.spend("one", fail)).toThrow("no document");
    expect(reading.isUsedUp("one")).toBe(true);
  });

  it("runs out for a caller with only new documents, and for nobody else", async () => {
    const attacker = createTestClient(server.url, (await server.createWorkspace()).apiKey);
    const other = createTestClient(server.url, (await server.createWorkspace()).apiKey);
    const fields = (text: string) => Array.from({ length: 450 }, (_, index) => `${text}${index}: __typename`);
    const cpuUsage = process.cpuUsage.bind(process);
    const spy = vi.spyOn(process, "cpuUsage").mockImplementation((before) => {
      const { user, system } = cpuUsage(before);
      // Simulates a processor ten times as slow, whatever the load of this one.
      return before === undefined ? { user, system } : { user: user * 10, system: system * 10 };
    });
    let refused = null;
    for (let sent = 0; sent < 5000 && refused === null; sent++) {
      const { status, body } = await attacker.graphql(`{ ${fields(`a${sent}_`).join(" ")} nothing }`);
      if (status === 429) refused = body.errors[0].extensions.code;
    }
    spy.mockRestore();
    expect(refused).toBe("RATE_LIMITED");
    const { body } = await other.graphql("{ __typename }");
    expect(body).toEqual({ data: { __typename: "Query" } });
  });
});
