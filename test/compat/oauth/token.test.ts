import { UnsecuredJWT, SignJWT, importJWK, exportSPKI } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteWorkloadTrust } from "../../../src/auth/workloads/delete-workload-trust.ts";
import { updateWorkloadTrust } from "../../../src/auth/workloads/update-workload-trust.ts";
import { AUDIENCE, SUBJECT, type TestIssuer, startIssuer } from "../../support/test-issuer.ts";
import { serveRaw } from "../../support/outbound-scene.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { exchangeAt, postToken, trust } from "../../support/workload-scene.ts";

let world: TestWorld;
let issuer: TestIssuer;
let trustId: string;
let exchange: ReturnType<typeof exchangeAt>;

beforeAll(async () => {
  world = await createWorld({ OUTBOUND_ALLOW: "127.0.0.0/8" });
  exchange = exchangeAt(world.server.url);
  issuer = await startIssuer();
  trustId = (await trust(world.ctx, { issuer: issuer.url })).id;
});

afterAll(async () => {
  await issuer.close();
  await world.server.close();
});

const REFUSED = {
  error: "invalid_grant",
  error_description: "The client_id or the token is not accepted.",
};

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

async function readReasons(id: string): Promise<unknown[]> {
  const where = { action: "workload_trust.refused", targetId: id };
  const rows = await world.ctx.db.auditEvent.findMany({ where, orderBy: { seq: "asc" } });
  return rows.map(({ changes }) => (changes as { reason: string }).reason);
}

describe("POST /oauth/token", () => {
  it("exchanges a token of the issuer for an access token of the agent", async () => {
    const answer = await exchange(trustId, await issuer.sign());
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^agt_/),
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
      token_type: "Bearer",
      expires_in: 900,
      scope: "tasks:read tasks:write",
    });
    const workload = createTestClient(world.server.url, answer.body.access_token);
    expect((await workload.get("/api/v1/tasks")).status).toBe(200);
    expect((await workload.get("/api/v1/agents")).status).toBe(403);
    const me = await workload.get("/api/v1/whoami");
    expect(me.body.credential?.kind ?? me.body.kind).toBe("agent_token");
    const listed = await workload.get("/api/v1/agent_tokens");
    expect(listed.body.agent_tokens).toHaveLength(1);
    expect(listed.body.agent_tokens[0].api_key_id).toBeNull();
    const { lastUsedAt } = await world.ctx.db.workloadTrust.findFirstOrThrow({ where: { id: trustId } });
    expect(lastUsedAt).not.toBeNull();
  });

  it("accepts a JWT bearer grant, and scopes within the trust's", async () => {
    const answer = await postToken(world.server.url, {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ...{ assertion: await issuer.sign(), client_id: trustId, scope: "tasks:read" },
    });
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^agt_/),
      ...{ token_type: "Bearer", expires_in: 900, scope: "tasks:read" },
    });
  });

  it("records a subject that can't be stored as far as it can", async () => {
    for (const sub of ["repo:acme/shop:\0", "repo:acme/shop:\ud800"]) {
      const answer = await exchange(trustId, await issuer.sign({ sub }));
      expect(answer.status, answer.text).toBe(200);
    }
    const where = { action: "agent_token.created" };
    const rows = await world.ctx.db.auditEvent.findMany({ where, orderBy: { seq: "desc" }, take: 2 });
    const subjects = rows.map(({ changes }) => (changes as { subject: string }).subject);
    expect(subjects).toEqual(["repo:acme/shop:\uFFFD", "repo:acme/shop:"]);
  });

  it("takes the trust from the audience", async () => {
    const answer = await postToken(world.server.url, {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      ...{ subject_token: await issuer.sign(), audience: trustId },
    });
    expect(answer.status, answer.text).toBe(200);
  });

  it.each([
    ["another audience", { aud: "https://other.example" }],
    ["several audiences", { aud: [AUDIENCE, "https://other.example"] }],
    ["an expired token", { exp: nowSeconds() - 61 }],
    ["a token without expiry", { exp: undefined }],
    ["a token that is valid for years", { exp: nowSeconds() + 100_000 }],
    ["a token that is not valid yet", { nbf: nowSeconds() + 120 }],
    ["a token from the future", { iat: nowSeconds() + 120 }],
    ["a token of yesterday", { iat: nowSeconds() - 90_000 }],
    ["another issuer", { iss: "https://issuer.example" }],
    ["another subject", { sub: "repo:acme/shop-2:ref:refs/heads/main" }],
    ["no subject", { sub: undefined }],
  ])("refuses %s", async (_what, claims) => {
    const answer = await exchange(trustId, await issuer.sign(claims));
    expect([answer.status, answer.body]).toEqual([400, REFUSED]);
  });

  it("accepts clocks that differ by less than a minute", async () => {
    const claims = { exp: nowSeconds() - 50, iat: nowSeconds() - 60, nbf: nowSeconds() + 50 };
    expect((await exchange(trustId, await issuer.sign(claims))).status).toBe(200);
  });

  it("answers an unknown trust like a wrong token", async () => {
    for (const id of [crypto.randomUUID(), "x"]) {
      const answer = await exchange(id, await issuer.sign());
      expect([answer.status, answer.body]).toEqual([400, REFUSED]);
    }
  });

  it("refuses unsigned tokens, and the public key as a secret", async () => {
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: SUBJECT, exp: nowSeconds() + 300 };
    const none = new UnsecuredJWT(claims).encode();
    const [jwk] = JSON.parse(issuer.jwks()).keys;
    const pem = await exportSPKI((await importJWK({ ...jwk, ext: true }, "RS256")) as CryptoKey);
    const secret = new TextEncoder().encode(pem);
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: jwk.kid }).sign(secret);
    const [head, , signature] = (await issuer.sign()).split(".");
    const changed = [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    for (const token of [none, hmac, changed, "x", "a.b.c"]) {
      const answer = await exchange(trustId, token);
      expect([answer.status, answer.body], token).toEqual([400, REFUSED]);
    }
  });

  it("exchanges a token once, unless the trust says otherwise", async () => {
    const token = await issuer.sign();
    expect((await exchange(trustId, token)).status).toBe(200);
    const again = await exchange(trustId, token);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    const unnamed = await issuer.sign({ jti: undefined });
    const answers = await Promise.all([1, 2, 3].map(() => exchange(trustId, unnamed)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const reusable = await trust(world.ctx, { issuer: issuer.url, reusable: true, lifetimeSeconds: 60 });
    for (const _time of [1, 2]) {
      const answer = await exchange(reusable.id, token);
      expect(answer.body.expires_in).toBe(60);
    }
  });

  it("refuses what is not a request for a token", async () => {
    const token = await issuer.sign();
    const cases: [Record<string, string>, string][] = [
      [{ grant_type: "client_credentials" }, "unsupported_grant_type"],
      [{ subject_token: "" }, "invalid_request"],
      [{ subject_token: "x".repeat(16_385) }, "invalid_request"],
      [{ subject_token: "x".repeat(50_000) }, "invalid_request"],
      [{ subject_token_type: "urn:ietf:params:oauth:token-type:saml2" }, "invalid_request"],
      [{ client_id: "" }, "invalid_request"],
      [{ resource: "https://other.example" }, "invalid_target"],
      [{ audience: "https://other.example" }, "invalid_target"],
      [{ scope: "robots:read" }, "invalid_scope"],
      [{ scope: "nonsense" }, "invalid_scope"],
    ];
    for (const [others, error] of cases) {
      const answer = await exchange(trustId, token, others);
      expect([answer.status, answer.body.error], answer.text).toEqual([400, error]);
    }
    const json = await createTestClient(world.server.url).post("/oauth/token", { grant_type: "x" });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
  });

  it("audits refusals with their reason, in the trust's workspace", async () => {
    const own = await trust(world.ctx, { issuer: issuer.url });
    await exchange(own.id, await issuer.sign({ aud: "x" }));
    await exchange(own.id, await issuer.sign({ exp: nowSeconds() - 100 }));
    await exchange(own.id, await issuer.sign({ sub: "repo:else" }));
    expect(await readReasons(own.id)).toEqual(["audience", "expired", "claim sub"]);
  });

  it("throttles failures from an address for a trust, not for others", async () => {
    const own = await trust(world.ctx, { issuer: issuer.url });
    let last = await exchange(own.id, "x");
    for (let failure = 0; failure < 30; failure++) last = await exchange(own.id, "x");
    expect([last.status, last.body.error]).toEqual([429, "slow_down"]);
    expect(last.headers.get("retry-after")).toBe("60");
    expect((await readReasons(own.id)).length).toBeLessThanOrEqual(20);
    expect((await exchange(trustId, await issuer.sign())).status).toBe(200);
  });

  it("serves workspaces while another one's issuers keep silent, however many tokens it sends", async () => {
    const other = await world.another();
    const silent = await serveRaw(() => {});
    const jwksUri = `${silent.url}/jwks`;
    const trusts = [
      await trust(other.ctx, { name: "One", issuer: issuer.url, jwksUri }),
      await trust(other.ctx, { name: "Two", issuer: issuer.url, jwksUri }),
    ];
    const token = await issuer.sign();
    const asked = Array.from({ length: 20 }, () => trusts.map(({ id }) => exchange(id, token))).flat();
    const first = await Promise.race(asked);
    expect([first.status, first.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect((await exchange(trustId, await issuer.sign())).status).toBe(200);
    await silent.close();
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([503]));
  });

  it("mints nothing for another workspace, an archived agent or by a disabled trust", async () => {
    const other = await world.another();
    const elsewhere = await trust(other.ctx, { issuer: issuer.url });
    const answer = await exchange(elsewhere.id, await issuer.sign());
    const token = await other.ctx.db.agentToken.findFirstOrThrow({ where: { trustId: elsewhere.id } });
    expect(answer.status).toBe(200);
    expect(token.workspaceId).toBe(other.workspaceId);
    await updateWorkloadTrust(other.ctx, elsewhere.id, { enabled: false });
    const workload = createTestClient(world.server.url, answer.body.access_token);
    expect((await workload.get("/api/v1/whoami")).status).toBe(401);
    expect((await exchange(elsewhere.id, await issuer.sign())).body).toEqual(REFUSED);
    await updateWorkloadTrust(other.ctx, elsewhere.id, { enabled: true });
    expect((await workload.get("/api/v1/whoami")).status).toBe(401);
    await other.ctx.db.agent.updateMany({ data: { archivedAt: new Date() } });
    const archived = await exchange(elsewhere.id, await issuer.sign());
    expect(archived.body).toEqual({ error: "invalid_grant", error_description: "The agent is archived." });
  });

  it("ends a deleted trust", async () => {
    const own = await trust(world.ctx, { issuer: issuer.url });
    const { body } = await exchange(own.id, await issuer.sign());
    await deleteWorkloadTrust(world.ctx, own.id);
    const workload = createTestClient(world.server.url, body.access_token);
    expect((await workload.get("/api/v1/whoami")).status).toBe(401);
    expect((await exchange(own.id, await issuer.sign())).body).toEqual(REFUSED);
  });
});
