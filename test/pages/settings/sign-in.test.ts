import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { SIGN_IN_ENVIRONMENT } from "../../support/sign-in-world.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { getElementText } from "../support/test-visitor.ts";

const PATH = "/settings/sign-in";
const PROVIDER = { act: "save", issuer: "https://id.example.com", client_id: "agent-ops" };

let world: PageWorld;
let names: DnsServer;

beforeAll(async () => {
  world = await openPageWorld(SIGN_IN_ENVIRONMENT);
  names = await startDnsServer();
});

afterAll(async () => {
  await names.close();
  await world.close();
});

describe(PATH, () => {
  it("saves and removes the provider, and never shows its secret", async () => {
    const admin = await world.enter("admin");
    const saved = await admin.submit(PATH, {
      ...PROVIDER,
      client_secret: "very-secret",
      creates_viewers: "true",
    });
    expect(saved.location).toBe(`${PATH}?notice=saved`);
    const page = await admin.get(PATH);
    expect(page.text).toContain('value="https://id.example.com"');
    for (const path of ["callback", "logged-out", "backchannel-logout"]) {
      expect(page.text).toContain(`${world.server.url}/users/log-in/provider/${path}`);
    }
    expect(page.text).toContain("Leave empty to keep the stored one.");
    expect(page.text).toContain("Owners can&#39;t sign in by this provider until an owner saves it");
    expect(page.text).not.toContain("very-secret");
    expect((await (await world.enter("owner")).submit(PATH, PROVIDER)).status).toBe(303);
    expect((await admin.get(PATH)).text).not.toContain("until an owner saves it");
    expect((await admin.submit(PATH, { act: "remove" })).location).toBe(`${PATH}?notice=removed`);
  });

  it("says what is wrong with a provider, and keeps what was typed", async () => {
    const admin = await world.enter("admin");
    const page = await admin.submit(PATH, { ...PROVIDER, issuer: "id.example.com" });
    expect(page.status).toBe(422);
    expect(getElementText(page, "main")).toContain("The issuer must be a URL");
    expect(page.text).toContain('value="id.example.com"');
  });

  it("adds, verifies and deletes a domain", async () => {
    const admin = await world.enter("admin");
    const domain = `${crypto.randomUUID()}.example`;
    expect((await admin.submit(PATH, { act: "add", domain })).location).toBe(`${PATH}?notice=added`);
    const page = await admin.get(PATH);
    const [, id = ""] = /name="id" value="([^"]+)"/.exec(page.text) ?? [];
    const [, record = ""] = />(agent-ops-domain-verification=[\w-]+)</.exec(page.text) ?? [];
    const early = await admin.submit(PATH, { act: "verify", id });
    expect(early.status).toBe(422);
    expect(getElementText(early, "main")).toContain("The domain has no TXT record at");
    names.records.set(`_agent-ops-sign-in.${domain}`, record);
    expect((await admin.submit(PATH, { act: "verify", id })).location).toBe(`${PATH}?notice=verified`);
    expect((await admin.get(PATH)).text).toContain("Verified");
    expect((await admin.submit(PATH, { act: "delete", id })).location).toBe(`${PATH}?notice=deleted`);
  });

  it("enforces the provider, names another break-glass owner, and allows passwords again", async () => {
    const [owner, another] = [await world.enter("owner"), await world.person("owner")];
    await owner.submit(PATH, PROVIDER);
    expect((await owner.get(PATH)).text).toContain("Enforce the provider");
    const enforced = await owner.submit(PATH, { act: "enforce", break_glass_owner: owner.person.id });
    expect(enforced.location).toBe(`${PATH}?notice=enforced`);
    const page = await owner.get(PATH);
    expect(page.text).toContain("Members log in at your provider alone");
    expect(page.text).toMatch(new RegExp(`value="${owner.person.id}"[^>]* selected`));
    await owner.submit(PATH, { act: "enforce", break_glass_owner: another.id });
    expect((await owner.get(PATH)).text).toMatch(new RegExp(`value="${another.id}"[^>]* selected`));
    const wrong = await owner.submit(PATH, { act: "enforce", break_glass_owner: crypto.randomUUID() });
    expect(wrong.status).toBe(422);
    expect(getElementText(wrong, "main")).toContain("The break-glass owner must be an active owner");
    expect((await owner.submit(PATH, { act: "enforce", break_glass_owner: "?" })).status).toBe(422);
    expect((await owner.submit(PATH, { act: "allow" })).location).toBe(`${PATH}?notice=allowed`);
    expect((await owner.get(PATH)).text).toContain("Members can log in with a password too");
    await owner.submit(PATH, { act: "remove" });
    expect((await owner.submit(PATH, { act: "allow" })).status).toBe(422);
  });

  it("asks for the password again after 20 minutes", async () => {
    const admin = await world.enter("admin");
    await world.endSudo(admin.person);
    expect((await admin.get(PATH)).text).toContain("/users/confirm-password");
    expect((await admin.submit(PATH, PROVIDER)).status).toBe(403);
  });
});
