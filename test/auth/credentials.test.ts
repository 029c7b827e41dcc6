import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BearerKind,
  parseBearerKind,
  createApiKeySecret,
  createToken,
  hashSecret,
} from "../../src/auth/credentials.ts";
import { runs } from "../support/property-runs.ts";

const TOKENS = [
  ["agent_token", "agt_"],
  ["socket_token", "ags_"],
  ["scim_token", "agp_"],
] as const;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function make(kind: BearerKind): string {
  return kind === "api_key" ? createApiKeySecret().secret : createToken(kind).secret;
}

const kinds = fc.constantFrom<BearerKind>("api_key", "agent_token", "socket_token", "scim_token");

describe("createToken", () => {
  it.each(TOKENS)("creates a %s with its prefix, 43 characters and a checksum of 6", (kind, prefix) => {
    const { secret, digest, last4 } = createToken(kind);
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    expect(Buffer.from(digest)).toEqual(createHash("sha256").update(secret, "ascii").digest());
    expect(last4).toBe(secret.slice(-4));
    expect(parseBearerKind(secret)).toBe(kind);
  });

  it("uses every character at every position, and repeats nothing", () => {
    const secrets = Array.from({ length: 2000 }, () => createToken("agent_token").secret);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (let place = 4; place < 47; place++) {
      expect(new Set(secrets.map((secret) => secret.charAt(place))).size).toBe(BASE62.length);
    }
  });
});

describe("createApiKeySecret", () => {
  it("creates a public id of 16, a secret of 43 and a checksum of 6", () => {
    const { secret, publicId, last4 } = createApiKeySecret();
    expect(secret).toMatch(/^agk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/);
    expect(secret.slice(4, 20)).toBe(publicId);
    expect(last4).toBe(secret.slice(-4));
    expect(parseBearerKind(secret)).toBe("api_key");
  });
});

describe("parseBearerKind", () => {
  it("checks the published checksum: base62 of the CRC32 of everything before it, in 6 characters", () => {
    const body = `agt_${"0".repeat(43)}`;
    expect(parseBearerKind(body + computeChecksum(body))).toBe("agent_token");
    const padded = Array.from({ length: 100_000 }, (_, n) => `agt_${String(n).padStart(43, "0")}`).find(
      (text) => computeChecksum(text).startsWith("0"),
    );
    expect(parseBearerKind(`${padded}${computeChecksum(padded ?? "")}`)).toBe("agent_token");
  });

  it("rejects any single changed character", () => {
    fc.assert(
      fc.property(kinds, fc.nat(), fc.constantFrom(...BASE62.split("")), (kind, at, character) => {
        const bearer = make(kind);
        const place = 4 + (at % (bearer.length - 4));
        fc.pre(bearer.charAt(place) !== character);
        expect(parseBearerKind(bearer.slice(0, place) + character + bearer.slice(place + 1))).toBeNull();
      }),
      { numRuns: runs(2000) },
    );
  });

  it("rejects missing, additional and swapped characters", () => {
    fc.assert(
      fc.property(kinds, fc.nat(), (kind, at) => {
        const bearer = make(kind);
        const place = at % (bearer.length - 1);
        const [one, two] = [bearer.charAt(place), bearer.charAt(place + 1)];
        expect(parseBearerKind(bearer.slice(0, place) + bearer.slice(place + 1))).toBeNull();
        expect(parseBearerKind(`${bearer.slice(0, place)}A${bearer.slice(place)}`)).toBeNull();
        if (one !== two) {
          expect(parseBearerKind(bearer.slice(0, place) + two + one + bearer.slice(place + 2))).toBeNull();
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("rejects a token with another prefix, which the checksum covers", () => {
    for (const [kind, prefix] of TOKENS) {
      for (const [, other] of TOKENS) {
        const renamed = createToken(kind).secret.replace(prefix, other);
        expect(parseBearerKind(renamed)).toBe(other === prefix ? kind : null);
      }
    }
  });

  it.each([
    ["one character short", `agt_${"0".repeat(42)}`],
    ["one character long", `agt_${"0".repeat(44)}`],
    ["of another alphabet", `agt_${"-".repeat(43)}`],
    ["of an unknown kind", `agx_${"0".repeat(43)}`],
    ["a key without its dot", `agk_${"0".repeat(59)}`],
    ["not ours at all", "agt_"],
  ])("rejects a text with a correct checksum that is %s", (_what, body) => {
    expect(parseBearerKind(body + computeChecksum(body))).toBeNull();
  });

  it("rejects any other text", () => {
    fc.assert(fc.property(fc.string(), (text) => parseBearerKind(text) === null));
    const { secret } = createToken("agent_token");
    for (const text of [`${secret}\n`, ` ${secret}`, `${secret}=`, secret.toUpperCase(), ""]) {
      expect(parseBearerKind(text)).toBeNull();
    }
  });
});

describe("hashSecret", () => {
  it("is the SHA-256 of the secret's characters", () => {
    expect(Buffer.from(hashSecret("abc")).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});

/** CRC32 bit by bit, and base62 with BigInt, independent of the tested code. */
function computeChecksum(body: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = BigInt((crc ^ 0xffffffff) >>> 0);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}
