import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, linkIn, openPageWorld } from "./support/page-world.ts";
import { openVisitor, getElementText } from "./support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

let made = 0;

async function requestChange() {
  const browser = await world.enter();
  const email = `new-address-${made++}@example.com`;
  const answer = await browser.submit("/settings/email", { email });
  expect(answer.location).toBe("/settings/email?notice=sent");
  const path = linkIn(await world.findEmail(email, /./), "/users/confirm-email/");
  return { browser, email, path };
}

describe("/users/confirm-email/:token", () => {
  it("changes the address only when the button is pressed", async () => {
    const { browser, email, path } = await requestChange();
    for (let look = 0; look < 3; look++) expect((await browser.get(path)).text).toContain("Use this address");
    const { text } = await browser.get("/settings/email");
    expect(text).not.toContain(`<dd>${email}</dd>`);
    expect(text).toContain("No mail provider is set up, so nothing is sent");
    expect((await browser.submit(path, {})).location).toBe("/settings/email?notice=changed");
    expect((await browser.get("/settings/email")).text).toContain(`<dd>${email}</dd>`);
    await world.logIn({ email, password: browser.person.password });
    expect(getElementText(await browser.submit(path, {}), "h1")).toBe("This link is no longer valid.");
  });

  it("leads to log-in without a session", async () => {
    const { path } = await requestChange();
    const answer = await openVisitor(world.server.url).submit(path, {});
    expect(answer.location).toBe("/users/log-in?notice=email-changed");
  });

  it("notifies the old address, and rejects the current one", async () => {
    const { browser, path } = await requestChange();
    await browser.submit(path, {});
    expect((await world.findEmail(browser.person.email, /./)).subject).toMatch(/address/i);
    const own = await world.enter();
    const refused = await own.submit("/settings/email", { email: own.person.email });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("New address is already your address.");
  });

  it("responds alike for another member's address", async () => {
    const browser = await world.enter();
    const taken = await world.person();
    expect((await browser.submit("/settings/email", { email: taken.email })).location).toBe(
      "/settings/email?notice=sent",
    );
  });

  it("rejects an invalid address and keeps it in the form", async () => {
    const browser = await world.enter();
    const refused = await browser.submit("/settings/email", { email: "not an <address>" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="not an &lt;address&gt;"');
  });

  it("is a dead end for an unknown token", async () => {
    const visitor = openVisitor(world.server.url);
    for (const page of [
      await visitor.get("/users/confirm-email/x"),
      await visitor.submit("/users/confirm-email/x", {}),
    ]) {
      expect({ status: page.status, heading: getElementText(page, "h1") }).toEqual({
        status: 200,
        heading: "This link is no longer valid.",
      });
    }
  });
});
