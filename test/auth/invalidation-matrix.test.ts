import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countFollowedRevocations, revocationsIn } from "../support/credential-events.ts";
import { CREDENTIALS, holdCredentials, readStates } from "../support/held-credentials.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { INVALIDATIONS } from "./invalidations.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("what is invalidated when", () => {
  it.each(INVALIDATIONS)("$event", async ({ happens, invalidated = [], refused = [], revocations = [] }) => {
    const held = await holdCredentials(server);
    const before = await readStates(held);
    expect(before).toEqual(Object.fromEntries(CREDENTIALS.map((column) => [column, "valid"])));
    const followed = await countFollowedRevocations(server);
    const handed = (await happens(held)) ?? {};
    await expect
      .poll(() => countFollowedRevocations(server))
      .toBeGreaterThanOrEqual(followed + revocations.length);
    const expected = CREDENTIALS.map((column) => {
      if (refused.includes(column)) return [column, "refused"];
      return [column, invalidated.includes(column) ? "invalid" : "valid"];
    });
    expect(await readStates({ ...held, ...handed })).toEqual(Object.fromEntries(expected));
    expect(await revocationsIn(server, held.ctx.workspaceId)).toEqual(revocations);
  });
});
