import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countFollowedRevocations, revocationsIn } from "../support/credential-events.ts";
import { CREDENTIALS, createCredentials, readStates } from "../support/test-credentials.ts";
import { FACTOR_ENVIRONMENT } from "../support/second-factor.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { INVALIDATIONS } from "./invalidations.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(FACTOR_ENVIRONMENT);
});

afterAll(() => server.close());

describe("what is invalidated when", () => {
  it.each(INVALIDATIONS)(
    "$event",
    async ({ happens, invalidated = [], forbidden = [], revocations = [] }) => {
      const credentials = await createCredentials(server);
      const before = await readStates(credentials);
      expect(before).toEqual(Object.fromEntries(CREDENTIALS.map((column) => [column, "valid"])));
      const followed = await countFollowedRevocations(server);
      const replacements = (await happens(credentials)) ?? {};
      await expect
        .poll(() => countFollowedRevocations(server))
        .toBeGreaterThanOrEqual(followed + revocations.length);
      const expected = CREDENTIALS.map((column) => {
        if (forbidden.includes(column)) return [column, "forbidden"];
        return [column, invalidated.includes(column) ? "invalid" : "valid"];
      });
      expect(await readStates({ ...credentials, ...replacements })).toEqual(Object.fromEntries(expected));
      expect(await revocationsIn(server, credentials.ctx.workspaceId)).toEqual(revocations);
    },
  );
});
