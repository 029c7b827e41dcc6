import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DASHBOARD_PLACES } from "../../src/pages/dashboard/routes.ts";
import { LACKS_BROWSER } from "../support/browser.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

/** Maximum bytes of JavaScript that the start page loads with an empty cache. */
const FIRST_VIEW_BYTES = 180_000;

describe.skipIf(LACKS_BROWSER)("the dashboard's URLs", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  async function ask(
    path: string,
    cookie = "",
    { method = "GET", encoding = "gzip" } = {},
  ): Promise<Response> {
    const headers = { accept: "text/html", cookie, "accept-encoding": encoding };
    return fetch(world.server.url + path, { redirect: "manual", method, headers });
  }

  async function cookie(): Promise<string> {
    const { page } = await world.enter();
    const cookies = await page.context().cookies();
    await page.context().close();
    return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  it("redirect to log-in without a session, and back to the view", async () => {
    expect((await ask("/")).headers.get("location")).toBe("/users/log-in");
    const deep = await ask("/tasks/x?status=FAILED");
    expect([deep.status, deep.headers.get("location")]).toEqual([
      303,
      "/users/log-in?return_to=%2Ftasks%2Fx%3Fstatus%3DFAILED",
    ]);
  });

  it("return the same uncached page with a strict policy", async () => {
    const session = await cookie();
    const paths = DASHBOARD_PLACES.flatMap((place) => [place.replace("/*", ""), place.replace("*", "x/y")]);
    for (const path of paths) {
      const answer = await ask(path, session);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(await answer.text()).toContain('<div id="root" data-viewer="');
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
          "frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
      );
    }
    expect((await ask("/", session, { method: "HEAD" })).status).toBe(200);
    const posted = await ask("/tasks", session, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await ask("/nowhere", session)).status).toBe(404);
  });

  it("serve the page's assets as immutable, gzipped on request, and no other file", async () => {
    const page = await (await ask("/", await cookie())).text();
    const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+-[\w-]{8}\.(?:js|css))"/g)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const answer = await ask(name ?? "");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("content-encoding")).toBe("gzip");
      const plain = await ask(name ?? "", "", { encoding: "identity" });
      expect(plain.headers.get("content-encoding")).toBe(null);
      expect(await plain.text()).toBe(await answer.text());
      const refused = await ask(name ?? "", "", { encoding: "gzip;q=0" });
      expect(refused.headers.get("content-encoding")).toBe(null);
    }
    for (const name of ["index-00000000.js", "..%2findex.html", "..%2f.stamp", "%00", "constructor"]) {
      expect({ name, status: (await ask(`/assets/${name}`)).status }).toEqual({ name, status: 404 });
    }
    expect((await ask("/assets/icon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });

  it("name all files of their view in the page, so that none waits for another", async () => {
    const { page } = await world.enter();
    const session = await cookie();
    for (const place of ["/", "/tasks", "/costs", "/mcp-servers/x"]) {
      await page.goto(world.network.url + place);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const loaded = await page.evaluate<string[]>(
        `performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)`,
      );
      const files = loaded.filter((name) => /^\/assets\/[^/]+\.(js|css)$/.test(name));
      const named = await (await ask(place, session)).text();
      expect(files.length).toBeGreaterThan(5);
      expect(
        files.filter((name) => !named.includes(`href="${name}"`) && !named.includes(`src="${name}"`)),
      ).toEqual([]);
    }
    await page.context().close();
  });

  it("show the frame, with the emergency stop, and grey lines, before the API has answered anything", async () => {
    const { page } = await world.enter("operator");
    await page.route("**/graphql", async () => {});
    for (const place of ["/", "/tasks", "/approvals"]) {
      await page.goto(world.network.url + place);
      await page.getByRole("button", { name: "Emergency stop" }).waitFor();
      await page.locator(".skeleton").first().waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    await page.context().close();
  });

  it("say who is logged in to them alone, however they are named", async () => {
    const name = `</div>"<script>alert(1)</script>&'`;
    const { page, person } = await world.enter("viewer");
    await world.server.database.query(`UPDATE "user" SET name = $1 WHERE id = $2`, [name, person.id]);
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes("query Viewer") === true,
    );
    await page.reload();
    await page.getByRole("button", { name }).waitFor();
    const told = await page.evaluate<string>(`document.getElementById("root").dataset.viewer`);
    expect(JSON.parse(told).viewer).toMatchObject({ actor: { name }, role: "VIEWER" });
    // The page tells all that the dashboard asks for later.
    const answer = await (await answered).text();
    const { data } = JSON.parse(answer, (key, value: unknown) => (key === "__typename" ? undefined : value));
    expect(JSON.parse(told)).toEqual(data);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("show the first view, live, and ask the API for nothing twice", async () => {
    const { page } = await world.enter();
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/graphql")) asked.push(request.postData());
    });
    await page.reload();
    await world.waitUntilLive(page);
    await page.getByRole("region", { name: "Key numbers" }).getByText("waiting").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(asked.length).toBeGreaterThan(5);
    expect(asked).toEqual([...new Set(asked)]);
    await page.context().close();
  });

  it(`show the first view with less than ${FIRST_VIEW_BYTES} bytes of JavaScript`, async () => {
    const { page } = await world.enter();
    await page.getByRole("region", { name: "Key numbers" }).waitFor();
    const loaded = await page.evaluate<{ name: string; bytes: number }[]>(
      `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
    );
    const origins = new Set(loaded.map(({ name }) => new URL(name).origin));
    expect(origins).toEqual(new Set([world.network.url]));
    const scripts = loaded.filter(({ name }) => name.endsWith(".js"));
    const bytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(FIRST_VIEW_BYTES);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});
