import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPerson, parseSetCookies } from "../support/people.ts";
import {
  type TestFactor,
  FACTOR_ENVIRONMENT,
  addTestFactor,
  makeWrongCode,
  takeCode,
} from "../support/second-factor.ts";
import { startOn } from "../support/server.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type TestVisitor, getElementText, openVisitor } from "./support/test-visitor.ts";

const VERIFY = "/users/log-in/verify";
const COOKIE = "_agent_ops_log_in";
const SESSION = "_agent_ops_key";

let world: PageWorld;
let factor: TestFactor;

beforeAll(async () => {
  world = await openPageWorld(FACTOR_ENVIRONMENT);
  factor = await addTestFactor(world.server, await world.person());
});

afterAll(() => world.close());

/** Enters the password. */
async function begin(fields: Record<string, string> = {}): Promise<TestVisitor> {
  const visitor = openVisitor(world.server.url);
  const { email, password } = factor.person;
  const answer = await visitor.submit("/users/log-in", { email, password, ...fields });
  expect({ status: answer.status, location: answer.location }).toEqual({ status: 303, location: VERIFY });
  const { [COOKIE]: cookie, ...others } = parseSetCookies(answer);
  expect(others).toEqual({});
  expect(cookie?.attributes).toEqual(["HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax"]);
  return visitor;
}

describe("/users/log-in/verify", () => {
  it("logs in with a code, keeps where to return to and the wish to stay logged in", async () => {
    const visitor = await begin({ return_to: "/settings/members", remember_me: "true" });
    const page = await visitor.get(VERIFY);
    expect(getElementText(page, "h1")).toBe("Enter a code");
    expect(page.text).not.toMatch(/<script|style=|\son[a-z]+=/);
    const done = await visitor.submit(VERIFY, { code: await takeCode(world.server, factor) });
    expect({ status: done.status, location: done.location }).toEqual({
      status: 303,
      location: "/settings/members",
    });
    expect(parseSetCookies(done)["_agent_ops_web_user_remember_me"]?.attributes).toContain("Max-Age=1209600");
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect((await visitor.get("/settings")).status).toBe(200);
  });

  it("opens nothing before the code", async () => {
    const visitor = await begin();
    expect((await visitor.get("/settings")).location).toBe("/users/log-in?return_to=%2Fsettings");
  });

  it("says that a code is wrong, and does not repeat it", async () => {
    const visitor = await begin();
    const wrong = makeWrongCode(factor.secret);
    const refused = await visitor.submit(VERIFY, { code: wrong });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The code is wrong, or was used already.");
    expect(refused.text).not.toContain(wrong);
  });

  it("leads back to the log-in without a log-in, for another browser, and after five wrong codes", async () => {
    const ended = { status: 303, location: "/users/log-in?notice=ended" };
    const stranger = openVisitor(world.server.url);
    expect(await stranger.get(VERIFY)).toMatchObject(ended);
    const code = await takeCode(world.server, factor);
    expect(await stranger.submit(VERIFY, { code })).toMatchObject(ended);
    const planted = { cookie: `${COOKIE}=${"A".repeat(43)}` };
    expect(await stranger.submit(VERIFY, { code }, planted)).toMatchObject(ended);
    const visitor = await begin();
    for (let count = 0; count < 4; count++) await visitor.submit(VERIFY, { code: "x" });
    expect(await visitor.submit(VERIFY, { code: "x" })).toMatchObject(ended);
    expect((await visitor.get("/users/log-in?notice=ended")).text).toContain("Log in again.");
    await world.server.database.query("DELETE FROM throttle");
  });

  it("ends the browser's previous session", async () => {
    const other = await world.enter();
    const before = other.cookies.get(SESSION);
    const { email, password } = factor.person;
    await other.submit("/users/log-in", { email, password });
    expect(other.cookies.get(SESSION)).toBe(before);
    await other.submit(VERIFY, { code: await takeCode(world.server, factor) });
    const old = await openVisitor(world.server.url).get("/settings", { cookie: `${SESSION}=${before}` });
    expect(old.location).toBe("/users/log-in?return_to=%2Fsettings");
  });

  it("rejects forms sent by other sites", async () => {
    const visitor = await begin();
    const code = await takeCode(world.server, factor);
    const refused = await visitor.submit(VERIFY, { code }, { origin: "https://evil.example" });
    expect(refused.status).toBe(403);
    expect((await visitor.submit(VERIFY, { code })).location).toBe("/");
  });

  it("asks for the workspace first, if the password matches several accounts", async () => {
    const { workspaceId } = await world.another();
    const { email, password } = factor.person;
    await createPerson(world.server, workspaceId, { email, password });
    const visitor = openVisitor(world.server.url);
    const asked = await visitor.submit("/users/log-in", { email, password });
    expect(asked.text).toContain("match accounts in several workspaces");
    const chosen = await visitor.submit("/users/log-in", { email, password, workspace: world.workspaceId });
    expect(chosen.location).toBe(VERIFY);
    await world.server.database.query('UPDATE "user" SET suspended_at = now() WHERE workspace_id = $1', [
      workspaceId,
    ]);
  });

  it("keeps its cookie to secure pages of this host over https", async () => {
    const secure = await startOn(world.server.database, {
      ...{ PUBLIC_BASE_URL: "https://ops.example.com", ...FACTOR_ENVIRONMENT },
    });
    const visitor = openVisitor(secure.url);
    const { email, password } = factor.person;
    const answer = await visitor.submit("/users/log-in", { email, password });
    await secure.stop();
    expect(parseSetCookies(answer)[`__Host-agent_ops_log_in`]?.attributes).toEqual([
      ...["HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax", "Secure"],
    ]);
  });
});
