import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readLogoutToken, verifyLogoutToken } from "../../../src/auth/oidc/logout-token.ts";
import { createIssuerKeys } from "../../../src/auth/workloads/issuer-keys.ts";
import { verifyAssertion } from "../../../src/auth/workloads/verify-assertion.ts";
import { createOutbound } from "../../../src/http/outbound/outbound.ts";
import { startUpstreamServer } from "../../support/upstream-server.ts";
import { serveRaw } from "../../support/outbound-scene.ts";
import { startSignInIssuer } from "../../support/sign-in-issuer.ts";
import { AUDIENCE, type TestIssuer, startIssuer } from "../../support/test-issuer.ts";

let issuer: TestIssuer;
const outbound = createOutbound(["127.0.0.0/8"]);

beforeEach(async () => {
  const started = await startIssuer("ES256");
  issuer = started;
  onTestFinished(() => started.close());
});

afterAll(() => outbound.close());

/** Verifies by keys that are asked for anew, at a time that tests move. */
function openVerifier() {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  const issuerKeys = createIssuerKeys(outbound, clock);
  const ownId = crypto.randomUUID();
  const rules = { audience: AUDIENCE, claimPatterns: [{ claim: "sub", pattern: "repo:*" }] };
  return {
    issuerKeys,
    pass: (ms: number) => {
      clock.ms += ms;
    },
    verify: async (
      token: string,
      source: { workspaceId?: string; jwksUri?: string; jwks?: object } = {},
    ): Promise<string> => {
      const trust = {
        ...rules,
        workspaceId: source.workspaceId ?? ownId,
        issuer: issuer.url,
        jwksUri: source.jwksUri ?? null,
        jwks: source.jwks ?? null,
      };
      const verified = await verifyAssertion(token, trust, { issuerKeys, now: new Date() });
      return "reason" in verified ? verified.reason : "accepted";
    },
  };
}

describe("the keys of an issuer", () => {
  it("are asked for once by many tokens at once", async () => {
    const { verify } = openVerifier();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issuer.sign()));
    expect(new Set(await Promise.all(tokens.map((token) => verify(token))))).toEqual(new Set(["accepted"]));
    expect(issuer.asked()).toBe(1);
  });

  it("are asked for again for an unknown key, and an old one is refused then", async () => {
    const { verify, pass } = openVerifier();
    const old = await issuer.sign();
    expect(await verify(old)).toBe("accepted");
    await issuer.rotate();
    pass(5000);
    expect(await verify(await issuer.sign())).toBe("accepted");
    expect(await verify(old)).toBe("unknown_key");
  });

  it("are not asked for more often by unknown keys", async () => {
    const { verify, pass } = openVerifier();
    const strange = await Promise.all([1, 2, 3].map(() => issuer.sign({}, { kid: crypto.randomUUID() })));
    for (const token of strange) expect(await verify(token)).toBe("unknown_key");
    expect(issuer.asked()).toBe(1);
    pass(5000);
    for (const token of strange) expect(await verify(token)).toBe("unknown_key");
    expect(issuer.asked()).toBe(2);
  });

  it("are never asked for by tokens that the trust would refuse", async () => {
    const { verify } = openVerifier();
    expect(await verify(await issuer.sign({ aud: "x" }))).toBe("audience");
    expect(await verify(await issuer.sign({ sub: "x" }))).toBe("claim sub");
    expect(issuer.asked()).toBe(0);
  });

  it("are used for an hour while the issuer is down", async () => {
    const { verify, pass } = openVerifier();
    expect(await verify(await issuer.sign())).toBe("accepted");
    issuer.answer("oops", 500);
    pass(3_599_999);
    expect(await verify(await issuer.sign())).toBe("accepted");
    pass(6000);
    expect(await verify(await issuer.sign())).toBe("issuer: The issuer answered with the status 500.");
  });

  it.each([
    ["no JSON", "x", "The issuer's answer is not JSON."],
    ["10 MB", "x".repeat(10_000_000), "The answer has more than 65536 bytes."],
    ["no jwks_uri", "", "The discovery document names no jwks_uri."],
  ])("can't be had from %s", async (_what, body, problem) => {
    issuer.answer(body === "" ? JSON.stringify({ issuer: issuer.url }) : body);
    expect(await openVerifier().verify(await issuer.sign())).toBe(`issuer: ${problem}`);
  });

  it("stay remembered however many issuers another workspace has", async () => {
    const { verify } = openVerifier();
    expect(await verify(await issuer.sign())).toBe("accepted");
    const [key] = JSON.parse(issuer.jwks()).keys;
    const many = { keys: Array.from({ length: 100 }, () => ({ ...key, x5t: "x".repeat(400) })) };
    const other = await startUpstreamServer((_request, response) => response.end(JSON.stringify(many)));
    onTestFinished(() => other.close());
    const workspaceId = crypto.randomUUID();
    const token = await issuer.sign();
    for (let index = 0; index < 400; index++) {
      const refused = await verify(token, { workspaceId, jwksUri: `${other.url}/${index}` });
      expect(refused).toBe("ERR_JWKS_MULTIPLE_MATCHING_KEYS");
    }
    expect(await verify(await issuer.sign())).toBe("accepted");
    expect(issuer.asked()).toBe(1);
  });

  it("are asked for by each workspace: what one has asked for is not told to others", async () => {
    const { verify } = openVerifier();
    for (const workspaceId of [crypto.randomUUID(), crypto.randomUUID()]) {
      expect(await verify(await issuer.sign(), { workspaceId })).toBe("accepted");
    }
    expect(issuer.asked()).toBe(2);
  });

  it("can be had while issuers of another workspace keep silent, however many they are", async () => {
    const { verify } = openVerifier();
    const silent = await serveRaw(() => {});
    const [workspaceId, token] = [crypto.randomUUID(), await issuer.sign()];
    const asked = Array.from({ length: 100 }, (_, index) =>
      verify(token, { workspaceId, jwksUri: `${silent.url}/${index}` }),
    );
    expect(await verify(token)).toBe("accepted");
    const ended = await Promise.all(asked);
    const refused = ended.filter((reason) => reason === "issuer: Too many issuers are asked at the moment.");
    expect(refused).toHaveLength(68);
    expect(ended).toContain("issuer: The server did not answer in time.");
  });

  it("can be had for log-outs while a workspace that names the same provider has many silent issuers", async () => {
    const { verify, issuerKeys } = openVerifier();
    const [silent, provider] = [await serveRaw(() => {}), await startSignInIssuer()];
    onTestFinished(() => provider.close());
    const [workspaceId, token] = [crypto.randomUUID(), await issuer.sign()];
    const asked = Array.from({ length: 32 }, (_, index) =>
      verify(token, { workspaceId, jwksUri: `${silent.url}/${index}` }),
    );
    const [logout, now] = [provider.createLogoutToken({ sub: "ada" }), new Date()];
    await verifyLogoutToken(logout, readLogoutToken(logout, now), { issuerKeys, now });
    expect(provider.requests).toContain("/jwks");
    await Promise.all(asked);
  });

  it("can't be had from another issuer's discovery document", async () => {
    issuer.claimToBe("https://other.example");
    const { verify } = openVerifier();
    expect(await verify(await issuer.sign())).toBe("issuer: The discovery document is another issuer's.");
  });

  it("can't be more than a hundred", async () => {
    const [key] = JSON.parse(issuer.jwks()).keys;
    issuer.answer(JSON.stringify({ keys: Array.from({ length: 101 }, () => key) }));
    const jwksUri = `${issuer.url}/jwks`;
    expect(await openVerifier().verify(await issuer.sign(), { jwksUri })).toBe(
      "issuer: The issuer's keys can't be read.",
    );
  });

  it("are at the address that the trust names, or in the trust", async () => {
    issuer.claimToBe("https://other.example");
    const { verify } = openVerifier();
    expect(await verify(await issuer.sign(), { jwksUri: `${issuer.url}/jwks` })).toBe("accepted");
    const asked = issuer.asked();
    expect(await verify(await issuer.sign(), { jwks: JSON.parse(issuer.jwks()) })).toBe("accepted");
    expect(issuer.asked()).toBe(asked);
  });

  it("are of elliptic curves and Ed25519 too", async () => {
    for (const alg of ["ES384", "EdDSA", "PS256"]) {
      const other = await startIssuer(alg);
      onTestFinished(() => other.close());
      issuer = other;
      expect(await openVerifier().verify(await other.sign()), alg).toBe("accepted");
    }
  });
});
