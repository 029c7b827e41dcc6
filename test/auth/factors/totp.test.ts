import { describe, expect, it } from "vitest";
import { decodeBase32, encodeBase32 } from "../../../src/auth/factors/base32.ts";
import { createTotpSecret, findTotpStep, toTotpUri } from "../../../src/auth/factors/totp.ts";

/** Of RFC 6238, appendix B. */
const SECRET = encodeBase32(Buffer.from("12345678901234567890"));
const CODES = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;

function at(seconds: number): Date {
  return new Date(seconds * 1000);
}

describe("findTotpStep", () => {
  it.each(CODES)("knows the code of RFC 6238 at %d", async (seconds, code) => {
    expect(await findTotpStep(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it("accepts the code one step before and after, and no further", async () => {
    const [seconds, code] = [1_234_567_890, "005924"];
    const steps = [-2, -1, 0, 1, 2].map((step) => findTotpStep(SECRET, code, at(seconds + step * 30)));
    const step = seconds / 30;
    expect(await Promise.all(steps)).toEqual([null, step, step, step, null]);
  });

  it("refuses another secret's code", async () => {
    expect(await findTotpStep(createTotpSecret(), "287082", at(59))).toBeNull();
  });
});

describe("encodeBase32", () => {
  it.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("encodes %j as RFC 4648 does, and back", (text, encoded) => {
    expect(encodeBase32(Buffer.from(text))).toBe(encoded);
    expect(Buffer.from(decodeBase32(encoded)).toString()).toBe(text);
  });
});

describe("toTotpUri", () => {
  it("names the workspace and the account, whatever is in them", () => {
    const uri = new URL(toTotpUri(SECRET, { account: "a&b@example.com", place: "A: ?&#" }));
    expect(uri.protocol).toBe("otpauth:");
    expect(decodeURIComponent(uri.pathname)).toBe("/Agent Ops (A  ?&#):a&b@example.com");
    expect(uri.searchParams.get("secret")).toBe(SECRET);
    expect(uri.searchParams.get("issuer")).toBe("Agent Ops (A  ?&#)");
  });
});
