import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOn } from "../support/server.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type VisitedPage, type TestVisitor, openVisitor } from "./support/test-visitor.ts";

const OPEN = [
  "/users/log-in",
  "/users/forgot-password",
  "/users/reset-password/x",
  "/users/invitation/x",
  "/users/confirm-email/x",
  "/users/unsubscribe/x",
];
const OWN = [
  "/settings",
  "/settings/password",
  "/settings/email",
  "/settings/security",
  "/settings/notifications",
  "/users/confirm-password",
];
const ADMINS = [
  "/settings/workspace",
  "/settings/members",
  "/settings/members/invite",
  "/settings/groups",
  "/settings/audit",
  "/settings/api-keys",
  "/settings/api-keys/new",
  "/settings/agent-tokens",
  "/settings/socket-tokens",
  "/settings/workloads",
  "/settings/webhooks",
  "/settings/scim",
  "/settings/sign-in",
];

let world: PageWorld;
let owner: TestVisitor;

beforeAll(async () => {
  world = await openPageWorld();
  owner = await world.enter("owner");
});

afterAll(() => world.close());

/** There if the dashboard has been built. */
const FRAME_SCRIPT = /<script type="module" crossorigin src="\/assets\/settings-[\w-]+\.js"><\/script>/;

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Settings may run the dashboard's scripts. */
function expectSecure({ headers }: VisitedPage, path = ""): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": path.startsWith("/settings")
      ? `${POLICY}; script-src 'self'; connect-src 'self'`
      : POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
  });
}

describe("every page", () => {
  it.each([...OPEN, ...OWN, ...ADMINS])(
    "%s has security headers, complete HTML and no scripts but the dashboard's",
    async (path) => {
      const page = await (OPEN.includes(path) ? openVisitor(world.server.url) : owner).get(path);
      expect(page.status).toBe(200);
      expectSecure(page, path);
      expect(page.text).toMatch(/^<!doctype html>\s*<html lang="en">/);
      expect(page.text.match(/<h1[ >]/g)).toHaveLength(1);
      expect(page.text.match(/<main[ >]/g)).toHaveLength(1);
      const own = OPEN.includes(path) ? page.text : page.text.replace(FRAME_SCRIPT, "");
      expect(own).not.toMatch(/<script|javascript:| style=| on[a-z]+=|\[object|undefined|NaN/);
      const elsewhere = page.text.match(/(?:src|href|action)="(?!\/|#|\?)[^"]*"/g);
      expect(elsewhere).toBeNull();
      expect(page.headers.get("strict-transport-security")).toBeNull();
    },
  );

  it.each([...OWN, ...ADMINS])("%s requires a session", async (path) => {
    const answer = await openVisitor(world.server.url).get(`${path}?a=b`);
    expect(answer.status).toBe(303);
    expect(answer.location).toBe(`/users/log-in?return_to=${encodeURIComponent(`${path}?a=b`)}`);
    expectSecure(answer, path);
  });

  it.each([...OWN, ...ADMINS])("%s redirects to log in without a very long query", async (path) => {
    const answer = await openVisitor(world.server.url).get(`${path}?${"|".repeat(8000)}`);
    expect(answer.status).toBe(303);
    expect(answer.location).toBe("/users/log-in");
  });

  it.each([...OWN, ...ADMINS])("%s rejects other methods", async (path) => {
    const refused = await owner.send(path, { method: "PATCH" });
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toMatch(/^GET, HEAD(, POST)?$/);
    expectSecure(refused, path);
  });

  it.each(ADMINS)("%s requires an admin", async (path) => {
    for (const role of ["operator", "viewer"] as const) {
      const browser = await world.enter(role);
      expect((await browser.get(path)).status).toBe(403);
      expect((await browser.submit(path, { act: "rotate", name: "x" })).status).toBe(403);
      expect((await browser.get("/settings")).text).not.toContain(`href="${path}"`);
    }
    expect((await (await world.enter("admin")).get(path)).status).toBe(200);
  });

  it("that doesn't exist is HTML for browsers and a problem for programs", async () => {
    const html = { accept: "text/html,application/xhtml+xml" };
    for (const path of [
      "/nowhere",
      "/users/nowhere",
      "/settings/nowhere",
      `/settings/members/${crypto.randomUUID()}`,
    ]) {
      const page = await owner.get(path, html);
      expect(page.status).toBe(404);
      expectSecure(page, path === "/settings/nowhere" ? "" : path);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
    for (const path of ["/api/v1/nowhere", "/nowhere"]) {
      const problem = await owner.get(path, { accept: path === "/nowhere" ? "*/*" : html.accept });
      expect(problem.status).toBe(404);
      expect(problem.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  it("returns 404 for malformed ids and those of another workspace", async () => {
    const other = await world.another();
    const [foreign] = await world.server.database.query<{ id: string }>(
      "SELECT id FROM api_key WHERE workspace_id = $1",
      [other.workspaceId],
    );
    for (const id of [foreign?.id, "x", "%00", "%ff", "new2"]) {
      expect((await owner.get(`/settings/api-keys/${id}`)).status).toBe(404);
      expect((await owner.submit(`/settings/api-keys/${id}`, { act: "revoke" })).status).toBe(404);
      expect((await owner.get(`/settings/members/${id}`)).status).toBe(404);
    }
  });

  it("rejects unknown actions and invalid cursors", async () => {
    for (const path of ["/settings/security", "/settings/scim", "/settings/workspace"]) {
      expect((await owner.submit(path, { act: "nonsense" })).status).toBe(422);
    }
    for (const path of ["/settings/members", "/settings/api-keys", "/settings/audit"]) {
      expect((await owner.get(`${path}?after=nonsense`)).status).toBe(422);
    }
    for (const query of ["role=KING", "status=x", `query=${"x".repeat(101)}`, "query=%00"]) {
      expect((await owner.get(`/settings/members?${query}`)).status).toBe(422);
    }
  });

  it("sets HSTS if the public URL is https", async () => {
    const secure = await startOn(world.server.database, {
      PUBLIC_BASE_URL: "https://ops.example.com",
      DATA_DIR: world.dataDir,
    });
    const person = await world.person();
    const browser = openVisitor(secure.url);
    expect((await browser.get("/users/log-in")).headers.get("strict-transport-security")).toBe(
      "max-age=31536000",
    );
    const { email, password } = person;
    const fields = { email, password, remember_me: "true" };
    const answer = await browser.submit("/users/log-in", fields, { origin: "https://ops.example.com" });
    expect(answer.status).toBe(303);
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toContain("Secure");
    await secure.stop();
  });

  it("shows only the request id after an internal error", async () => {
    await world.server.database.query('ALTER TABLE users_tokens RENAME TO "gone"');
    const failed = await owner.get("/settings", { "x-request-id": "my-request" });
    await world.server.database.query('ALTER TABLE "gone" RENAME TO users_tokens');
    expect(failed.status).toBe(500);
    expectSecure(failed, "/settings");
    expect(failed.text).toContain("<code>my-request</code>");
    expect(failed.text).not.toMatch(/users_tokens|relation|at .*\.ts/);
    expect((await owner.get("/settings")).status).toBe(200);
  });
});

describe("/assets", () => {
  it("are immutable, with a hash in their URLs", async () => {
    const page = await openVisitor(world.server.url).get("/users/log-in");
    const paths = page.text.match(/\/assets\/[0-9a-f]{16}\/[^"]+/g) ?? [];
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const asset = await openVisitor(world.server.url).get(path);
      expect(asset.status).toBe(200);
      expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(asset.headers.get("content-type")).toMatch(/^(text\/css; charset=utf-8|image\/svg\+xml)$/);
    }
    expect((await openVisitor(world.server.url).get("/assets/0000/style.css")).status).toBe(404);
  });
});
