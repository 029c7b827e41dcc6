import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate, isAllowed } from "../../src/auth/authenticate.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** Authenticates a new key while every statement fails with this error. */
async function authenticateBroken(error: Error) {
  const { apiKey } = await quiet.createWorkspace();
  const run = async () => {
    throw error;
  };
  const database = { ...quiet.services.database, run };
  const authorization = `Bearer ${apiKey}`;
  const presented = { authorization, tokenInQuery: false, ip: null, userAgent: null, requestId: null };
  return authenticate({ ...quiet.services, database }, presented);
}

describe("authenticate", () => {
  it("rejects a request as unavailable while the database can't be reached", async () => {
    expect(await authenticateBroken(Object.assign(new Error("lost"), { code: "08006" }))).toMatchObject({
      outcome: "refused",
      error: { code: "unavailable" },
    });
  });

  it("does not hide a bug", async () => {
    const bug = Object.assign(new Error("no such column"), { code: "42703" });
    await expect(authenticateBroken(bug)).rejects.toBe(bug);
    const unstorable = Object.assign(new Error("NUL"), { code: "22021" });
    await expect(authenticateBroken(unstorable)).rejects.toBe(unstorable);
  });
});

describe("isAllowed", () => {
  it.each([
    [[], "192.0.2.1", true],
    [[], null, true],
    [["192.0.2.0/24"], "192.0.2.1", true],
    [["10.0.0.0/8", "192.0.2.1"], "192.0.2.1", true],
    [["10.0.0.0/8"], "192.0.2.1", false],
    [["0.0.0.0/0"], null, false],
    [["nonsense"], "192.0.2.1", false],
  ])("with %j and the address %s is %s", (allowlist, ip, expected) => {
    expect(isAllowed(allowlist, ip)).toBe(expected);
  });
});
