import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, linkIn, openHouse } from "./support/house.ts";
import { openVisitor, textOf } from "./support/visitor.ts";

let house: House;

beforeAll(async () => {
  house = await openHouse();
});

afterAll(() => house.close());

let made = 0;

async function askedFor() {
  const browser = await house.enter();
  const email = `new-address-${made++}@example.com`;
  const answer = await browser.submit("/settings/email", { email });
  expect(answer.location).toBe("/settings/email?notice=sent");
  const path = linkIn(await house.letterTo(email, /./), "/users/confirm-email/");
  return { browser, email, path };
}

describe("/users/confirm-email/:token", () => {
  it("is a button that does it, and looking does nothing", async () => {
    const { browser, email, path } = await askedFor();
    for (let look = 0; look < 3; look++) expect((await browser.get(path)).text).toContain("Use this address");
    expect((await browser.get("/settings/email")).text).not.toContain(`<dd>${email}</dd>`);
    expect((await browser.submit(path, {})).location).toBe("/settings/email?notice=changed");
    expect((await browser.get("/settings/email")).text).toContain(`<dd>${email}</dd>`);
    await house.logIn({ email, password: browser.person.password });
    expect(textOf(await browser.submit(path, {}), "h1")).toBe("This link is no longer valid.");
  });

  it("leads who is not logged in to log in", async () => {
    const { path } = await askedFor();
    const answer = await openVisitor(house.server.url).submit(path, {});
    expect(answer.location).toBe("/users/log-in?notice=email-changed");
  });

  it("tells the old address, and refuses the one that one has", async () => {
    const { browser, path } = await askedFor();
    await browser.submit(path, {});
    expect((await house.letterTo(browser.person.email, /./)).subject).toMatch(/address/i);
    const own = await house.enter();
    const refused = await own.submit("/settings/email", { email: own.person.email });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("New address is your address already.");
  });

  it("answers the same for an address that another member has", async () => {
    const browser = await house.enter();
    const taken = await house.person();
    expect((await browser.submit("/settings/email", { email: taken.email })).location).toBe(
      "/settings/email?notice=sent",
    );
  });

  it("refuses what is no address, and keeps it", async () => {
    const browser = await house.enter();
    const refused = await browser.submit("/settings/email", { email: "not an <address>" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="not an &lt;address&gt;"');
  });

  it("is a dead end for an unknown token", async () => {
    const visitor = openVisitor(house.server.url);
    for (const page of [
      await visitor.get("/users/confirm-email/x"),
      await visitor.submit("/users/confirm-email/x", {}),
    ]) {
      expect({ status: page.status, heading: textOf(page, "h1") }).toEqual({
        status: 200,
        heading: "This link is no longer valid.",
      });
    }
  });
});
