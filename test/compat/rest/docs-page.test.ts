import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../../support/browser.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const DOCS = "/api/v1/docs";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("GET /api/v1/docs", () => {
  it("has no script and no external resource", async () => {
    const page = await createTestClient(server.url).get(DOCS);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.text).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//);
  });

  it("shows every route and every named schema", async () => {
    const { text } = await createTestClient(server.url).get(DOCS);
    const { paths, components } = (await createTestClient(server.url).get("/api/v1/openapi.json")).body;
    for (const path of Object.keys(paths)) expect(text).toContain(`/api/v1${path}`);
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`id="shape-${name}"`);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of new Set(links)) expect(text).toContain(`id="${id}"`);
    // Also nested fields, and headers.
    expect(text).toContain("<code>steps[].key</code>");
    expect(text).toContain("visible ASCII characters");
  });
});

describe.skipIf(LACKS_BROWSER)("GET /api/v1/docs in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  it.each([1280, 375])("is styled and fits into %i pixels", async (wanted) => {
    const complaints: string[] = [];
    const page = await openWindow(browser, complaints, { viewport: { width: wanted, height: 800 } });
    await page.goto(server.url + DOCS);
    expect(complaints).toEqual([]);
    await expectAccessible(page);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(wanted);
  });
});
