import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  addSignInDomain,
  deleteSignInDomain,
  verifySignInDomain,
  vouchForSignInDomain,
} from "../../../src/auth/oidc/change-sign-in-domains.ts";
import { deleteSignInProvider, setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import { createSealedBox } from "../../../src/auth/secrets/sealed-box.ts";
import { rotateSecrets } from "../../../src/auth/secrets/rotate-secrets.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { createPerson, beginTestSession } from "../../support/people.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { askBy, callMutation, expectData, graphqlCode } from "../../support/settings-client.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";

const KEY = Buffer.alloc(32, 1);
const NEXT_KEY = Buffer.alloc(32, 2);

let server: TestServer;
let names: DnsServer;
let ctx: Ctx;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer({ SECRETS_KEY: KEY.toString("base64") });
  names = await startDnsServer();
});

afterAll(async () => {
  await names.close();
  await server.close();
});

beforeEach(async () => {
  ({ workspaceId } = await server.createWorkspace());
  ctx = server.systemCtx(workspaceId);
});

function newDomain(): string {
  return `${crypto.randomUUID()}.example`;
}

async function sealedSecret(): Promise<Uint8Array | null> {
  return (await ctx.db.signInProvider.findFirstOrThrow()).sealedClientSecret;
}

describe("setSignInProvider", () => {
  it("seals the secret, which nobody can read again, keeps it, and removes it when told so", async () => {
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientSecret: "very-secret" });
    const sealed = await sealedSecret();
    expect(Buffer.from(sealed ?? []).includes("very-secret")).toBe(false);
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, createsViewers: true });
    expect(await sealedSecret()).toEqual(sealed);
    const audit = await server.database.query("SELECT * FROM audit_event WHERE workspace_id = $1", [
      workspaceId,
    ]);
    expect(JSON.stringify(audit)).not.toContain("very-secret");
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientSecret: null });
    expect(await sealedSecret()).toBeNull();
  });

  it.each([{ clientId: "another" }, { issuer: "https://another.example" }])(
    "forgets the secret with %o",
    async (change) => {
      await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientSecret: "very-secret" });
      await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, ...change });
      expect(await sealedSecret()).toBeNull();
    },
  );

  it("is another provider with another issuer", async () => {
    const { id } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    const same = await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientId: "another" });
    expect([same.id, same.generation]).toEqual([id, 2]);
    const other = await setSignInProvider(ctx, {
      ...NEW_SIGN_IN_PROVIDER,
      issuer: "https://another.example",
    });
    expect(other.id).not.toBe(id);
    expect(await ctx.db.signInProvider.count()).toBe(1);
  });

  it("serves owners only once an owner has set it", async () => {
    const fields = "provider { servesOwners clientId hasClientSecret }";
    const set = `mutation ($input: SetSignInProviderInput!) { setSignInProvider(input: $input) { ${fields} } }`;
    for (const [role, servesOwners] of [
      ["admin", false],
      ["owner", true],
      ["admin", true],
    ] as const) {
      const person = await createPerson(server, workspaceId, { role });
      const ask = askBy(server, await beginTestSession(server, person));
      const { setSignInProvider: set_ } = await expectData(ask(set, { input: NEW_SIGN_IN_PROVIDER }));
      expect(set_.provider).toMatchObject({ servesOwners, hasClientSecret: false });
    }
  });

  it.each([
    "http:",
    "ftp://id.example.com",
    "https://a:b@id.example.com",
    "https://id.example.com?x=1",
    "https://id.example.com#x",
    "",
  ])("refuses the issuer %o", async (issuer) => {
    await expect(setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, issuer })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  it("has its secret sealed anew by a rotation of keys", async () => {
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, clientSecret: "very-secret" });
    const box = createSealedBox([NEXT_KEY, KEY]);
    await rotateSecrets(server.services, box);
    expect(box.isCurrent((await sealedSecret()) ?? new Uint8Array())).toBe(true);
  });
});

describe("deleteSignInProvider", () => {
  it("deletes the provider, and does nothing without one", async () => {
    const { id } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    expect((await deleteSignInProvider(ctx))?.id).toBe(id);
    expect(await deleteSignInProvider(ctx)).toBeNull();
  });
});

describe("verifySignInDomain", () => {
  it("verifies a domain whose TXT record has the token, and no other", async () => {
    const person = await createPerson(server, workspaceId, { role: "admin" });
    const ask = askBy(server, await beginTestSession(server, person));
    const domain = newDomain();
    const input = { domain: domain.toUpperCase() };
    const fields = "domain { id domain recordName recordValue verifiedAt }";
    const add = `mutation ($input: AddSignInDomainInput!) { addSignInDomain(input: $input) { ${fields} } }`;
    const added = (await expectData(ask(add, { input }))).addSignInDomain.domain;
    expect(added).toMatchObject({ domain, verifiedAt: null });
    const verify = () => callMutation(ask, "verifySignInDomain", { id: added.id });
    expect((await verify()).text).toContain(`has no TXT record at ${added.recordName} yet`);
    names.records.set(added.recordName, "agent-ops-domain-verification=another");
    expect((await verify()).text).toContain("has another TXT record");
    names.records.set(added.recordName, added.recordValue);
    expect(graphqlCode(await verify())).toBe("");
    const { signInDomains } = await expectData(ask("{ signInDomains { verifiedAt } }"));
    expect(signInDomains).toEqual([{ verifiedAt: expect.any(String) }]);
  });

  it("verifies a domain for one workspace only, until it is deleted there", async () => {
    const domain = newDomain();
    const first = await vouchForSignInDomain(ctx, { domain });
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    const { id, token } = await addSignInDomain(other, { domain });
    names.records.set(`_agent-ops-sign-in.${domain}`, `agent-ops-domain-verification=${token}`);
    await expect(verifySignInDomain(other, { id })).rejects.toMatchObject({ code: "already_exists" });
    await expect(vouchForSignInDomain(other, { domain })).rejects.toMatchObject({ code: "already_exists" });
    await deleteSignInDomain(ctx, { id: first.id });
    expect((await verifySignInDomain(other, { id })).verifiedAt).not.toBeNull();
  });

  it("looks names up thirty times within 15 minutes", async () => {
    const { id } = await addSignInDomain(ctx, { domain: newDomain() });
    for (let count = 0; count < 30; count++) {
      await expect(verifySignInDomain(ctx, { id })).rejects.toMatchObject({ code: "validation_failed" });
    }
    await expect(verifySignInDomain(ctx, { id })).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("addSignInDomain", () => {
  it("adds a domain once, in its ASCII form", async () => {
    const word = crypto.randomUUID();
    const added = await addSignInDomain(ctx, { domain: ` Bücher-${word}.example` });
    expect(added.domain).toMatch(/^xn--bcher-.*\.example$/);
    expect(await addSignInDomain(ctx, { domain: added.domain })).toEqual(added);
  });

  it.each(["example", "", "a@example.com", "10.0.0.1", "https://example.com", "exa mple.com", "-a.example"])(
    "refuses %o",
    async (domain) => {
      await expect(addSignInDomain(ctx, { domain })).rejects.toMatchObject({ code: "validation_failed" });
    },
  );

  it("adds at most twenty", async () => {
    for (let count = 0; count < 20; count++) await addSignInDomain(ctx, { domain: newDomain() });
    await expect(addSignInDomain(ctx, { domain: newDomain() })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });
});
