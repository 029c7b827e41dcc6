import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { openVisitor } from "./support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld({ NODE_ENV: "development" });
});

afterAll(() => world.close());

describe("/dev/mailbox", () => {
  it("lists emails, and shows one with its links", async () => {
    const visitor = openVisitor(world.server.url);
    expect((await visitor.get("/dev/mailbox")).text).toContain("No emails yet");
    const { email } = await world.person();
    await visitor.submit("/users/forgot-password", { email });
    const message = await world.findEmail(email, /password/i);
    const list = await visitor.get("/dev/mailbox");
    expect(list.text).toContain(message.subject);
    const path = /\/dev\/mailbox\/[0-9a-f-]{36}/.exec(list.text)?.[0] ?? "";
    const page = await visitor.get(path);
    expect(page.text).toContain(`To ${email}`);
    expect(page.text).toMatch(/<a href="http:\/\/[^"]*\/users\/reset-password\/[\w-]{43}">/);
    expect(page.text).toContain('sandbox=""');
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'");
  });

  it("shows an email's HTML in a sandbox without scripts and external resources", async () => {
    const visitor = openVisitor(world.server.url);
    const path = /\/dev\/mailbox\/[0-9a-f-]{36}/.exec((await visitor.get("/dev/mailbox")).text)?.[0] ?? "";
    const frame = await visitor.get(`${path}/html`);
    expect(frame.status).toBe(200);
    expect(frame.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
    );
  });

  it("finds no other emails", async () => {
    const visitor = openVisitor(world.server.url);
    for (const id of [crypto.randomUUID(), "x", "..%2f..%2fdemo"]) {
      expect((await visitor.get(`/dev/mailbox/${id}`)).status).toBe(404);
      expect((await visitor.get(`/dev/mailbox/${id}/html`)).status).toBe(404);
    }
  });

  it("doesn't exist in production", async () => {
    const production = await openPageWorld();
    const visitor = openVisitor(production.server.url);
    expect((await visitor.get("/dev/mailbox")).status).toBe(404);
    await production.close();
  });
});
