import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailgunApi } from "../../support/mailgun-api.ts";
import { type TestPerson, beginTestSession } from "../../support/people.ts";
import { askBy } from "../../support/settings-client.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { type TestVisitor, openVisitor, getElementText } from "../support/test-visitor.ts";

let world: PageWorld;
let owner: TestVisitor & { person: TestPerson };

beforeAll(async () => {
  world = await openPageWorld();
  owner = await world.enter("owner");
});

afterAll(() => world.close());

describe("/settings/members", () => {
  it("lists members, by page and by filter", async () => {
    for (let made = 0; made < 27; made++) await world.person("viewer");
    const first = await owner.get("/settings/members?role=VIEWER");
    const next = /href="(\?[^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toContain("role=VIEWER");
    const second = await owner.get(`/settings/members${next}`);
    const emails = (page: { text: string }) => page.text.match(/person-[\w-]+@example\.com/g) ?? [];
    expect(emails(first)).toHaveLength(25);
    expect(emails(second).length).toBeGreaterThanOrEqual(2);
    expect(emails(first)).not.toEqual(expect.arrayContaining(emails(second)));
    const back = /href="(\?[^"]*before=[^"]*)"/.exec(second.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(emails(await owner.get(`/settings/members${back}`))).toEqual(emails(first));
    const sought = await owner.get(
      `/settings/members?query=${encodeURIComponent(owner.person.email.toUpperCase())}`,
    );
    expect(sought.text).toContain(owner.person.id);
    expect((await owner.get("/settings/members?query=nobody-has-this")).text).toContain("No member matches");
  });
});

describe("/settings/members/invite", () => {
  it("offers and accepts no role above one's own", async () => {
    const admin = await world.enter("admin");
    expect((await admin.get("/settings/members/invite")).text).not.toContain('value="OWNER"');
    const fields = { email: "too-high@example.com", name: "", role: "OWNER" };
    const refused = await admin.submit("/settings/members/invite", fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="too-high@example.com"');
  });

  it("rejects a member's address and an invalid one at the field", async () => {
    for (const email of [owner.person.email, "no address", ""]) {
      const refused = await owner.submit("/settings/members/invite", { email, name: "Ada", role: "VIEWER" });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('id="email-error"');
      expect(refused.text).toContain('value="Ada"');
      expect(refused.text).toMatch(/value="VIEWER"[^>]*checked/);
    }
  });
});

/** The path of the invitation link on a page, or "". */
function findLink({ text }: { text: string }): string {
  return /http:\/\/127\.0\.0\.1:\d+(\/users\/invitation\/[A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? "";
}

describe("an invitation without a mail provider", () => {
  const fields = { email: "hand@example.com", name: "Hand", role: "VIEWER" };

  it("shows its link once, which lets the invited person join", async () => {
    expect((await owner.get("/settings/members/invite")).text).toContain("No mail provider is set up");
    const made = await owner.submit("/settings/members/invite", fields);
    expect(made.status).toBe(200);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const link = findLink(made);
    expect(link).not.toBe("");
    const list = await owner.get("/settings/members?query=hand%40example.com");
    const member = /\/settings\/members\/[0-9a-f-]{36}/.exec(list.text)?.[0] ?? "";
    for (const path of ["/settings/members", member, "/settings/audit?action=invitation.link_shown"]) {
      expect((await owner.get(path)).text).not.toContain(link);
    }
    expect((await owner.get("/settings/audit?action=invitation.link_shown")).text).toContain(
      member.slice("/settings/members/".length),
    );
    const invited = openVisitor(world.server.url);
    const password = "a quiet harbour at dawn";
    const chosen = {
      "user[name]": "Hand",
      "user[password]": password,
      "user[password_confirmation]": password,
    };
    expect((await invited.submit(link, chosen)).status).toBe(303);
    await world.logIn({ email: fields.email, password });
    expect((await invited.submit(link, chosen)).text).toContain("no longer valid");
  });

  it("requires the password before it shows a link", async () => {
    const admin = await world.enter("admin");
    await world.endSudo(admin.person);
    const refused = await admin.submit("/settings/members/invite", { ...fields, email: "late@example.com" });
    expect(refused.status).toBe(403);
    expect(findLink(refused)).toBe("");
  });
});

describe("an invitation with a mail provider", () => {
  it("is sent, and the inviter sees no link", async () => {
    const api = await startMailgunApi();
    const mailed = await openPageWorld({
      ...{ MAILGUN_API_KEY: "key-of-a-test", MAILGUN_DOMAIN: "mg.example.com", MAILGUN_BASE_URL: api.url },
    });
    const host = await mailed.enter("owner");
    expect((await host.get("/settings/members/invite")).text).toContain("send an email with a link");
    const fields = { email: "sent@example.com", name: "", role: "VIEWER" };
    expect((await host.submit("/settings/members/invite", fields)).location).toBe(
      "/settings/members?notice=invited",
    );
    const list = await host.get("/settings/members?query=sent%40example.com");
    const path = /\/settings\/members\/[0-9a-f-]{36}/.exec(list.text)?.[0] ?? "";
    expect((await host.submit(path, { act: "resend" })).location).toBe(`${path}?notice=resent`);
    const input = { email: "asked@example.com", role: "VIEWER" };
    const query = "mutation ($input: InviteUserInput!) { inviteUser(input: $input) { link } }";
    const session = await beginTestSession(mailed.server, host.person);
    expect((await askBy(mailed.server, session)(query, { input })).body.data).toEqual({
      inviteUser: { link: null },
    });
    await mailed.close();
    await api.close();
  });
});

describe("/settings/members/:id", () => {
  it("changes the role, suspends, reactivates and deletes", async () => {
    const member = await world.enter("viewer");
    const path = `/settings/members/${member.person.id}`;
    const act = async (fields: Record<string, string>) => (await owner.submit(path, fields)).location;
    expect(await act({ act: "role", role: "ADMIN" })).toBe(`${path}?notice=role`);
    expect((await member.get("/settings/members")).status).toBe(200);
    expect(await act({ act: "suspend" })).toBe(`${path}?notice=suspended`);
    expect((await member.get("/settings")).status).toBe(303);
    expect((await owner.get(path)).text).toContain("Reactivate");
    expect(await act({ act: "unsuspend" })).toBe(`${path}?notice=unsuspended`);
    await world.logIn(member.person);
    expect(await act({ act: "delete" })).toBe("/settings/members?notice=deleted");
    expect((await owner.get(path)).status).toBe(404);
    const { email, password } = member.person;
    expect((await openVisitor(world.server.url).submit("/users/log-in", { email, password })).status).toBe(
      422,
    );
  });

  it("resends an invitation that was not accepted", async () => {
    await owner.submit("/settings/members/invite", { email: "again@example.com", name: "", role: "VIEWER" });
    const list = await owner.get("/settings/members?query=again%40example.com");
    const path = /\/settings\/members\/[0-9a-f-]{36}/.exec(list.text)?.[0] ?? "";
    expect((await owner.get(path)).text).toContain("Create another invitation link");
    const again = await owner.submit(path, { act: "resend" });
    expect(again.status).toBe(200);
    expect(findLink(again)).not.toBe("");
    const self = await owner.submit(`/settings/members/${owner.person.id}`, { act: "resend" });
    expect(self.status).toBe(409);
    expect(self.text).toContain("This person has already set a password.");
  });

  it("protects the last owner", async () => {
    const other = await openPageWorld();
    const only = await other.enter("owner");
    for (const fields of [{ act: "role", role: "VIEWER" }, { act: "suspend" }, { act: "delete" }]) {
      const refused = await only.submit(`/settings/members/${only.person.id}`, fields);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('role="alert"');
    }
    await other.close();
  });

  it("lets nobody manage a higher role", async () => {
    const admin = await world.enter("admin");
    await world.person("owner");
    const path = `/settings/members/${owner.person.id}`;
    const page = await admin.get(path);
    expect(page.text).not.toContain("Suspend");
    expect(page.text).toContain("Only an owner can change, suspend or delete an owner.");
    for (const fields of [{ act: "role", role: "VIEWER" }, { act: "suspend" }, { act: "delete" }]) {
      expect((await admin.submit(path, fields)).status).toBe(403);
    }
    expect((await admin.submit(path, { act: "role", role: "OWNER" })).status).toBe(422);
  });

  it("shows names as they are, not as markup", async () => {
    const member = await world.enter("viewer");
    await member.submit("/settings", { name: "<b>Bold</b>" });
    const page = await owner.get(`/settings/members/${member.person.id}`);
    expect(getElementText(page, "h1")).toBe("&lt;b&gt;Bold&lt;/b&gt;");
  });
});
