import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { openVisitor } from "./support/test-visitor.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

describe("/users/log-out", () => {
  it.each(["POST", "DELETE"])("ends the session by %s and makes the browser forget it", async (method) => {
    const browser = await world.enter();
    const cookies = new Map(browser.cookies);
    const answer = await browser.send("/users/log-out", { method });
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: "/users/log-in?notice=logged-out",
    });
    const cleared = answer.headers.getSetCookie();
    expect(cleared).toHaveLength(2);
    for (const cookie of cleared) expect(cookie).toMatch(/Max-Age=0/);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.get("/settings")).location).toBe("/users/log-in?return_to=%2Fsettings");
  });

  it("can't be done by a link", async () => {
    const browser = await world.enter();
    const answer = await browser.get("/users/log-out");
    expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({
      status: 405,
      allow: "POST, DELETE",
    });
    expect((await browser.get("/settings")).status).toBe(200);
  });

  it("can't be done by another site", async () => {
    const browser = await world.enter();
    const answer = await browser.submit("/users/log-out", {}, { "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(403);
    expect((await browser.get("/settings")).status).toBe(200);
  });

  it("works without a session", async () => {
    const answer = await openVisitor(world.server.url).submit("/users/log-out", {});
    expect(answer.location).toBe("/users/log-in?notice=logged-out");
  });
});
