import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../../support/browser.ts";
import { compileCode } from "../../support/compile-code.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const DOCS = "/api/v1/docs";

let server: TestServer;
let text: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ text } = await createTestClient(server.url).get(DOCS));
});

afterAll(() => server.close());

/** All code of the page in one language. */
function listSamples(language: string): string[] {
  const figures = text.matchAll(/data-language="(\w*)">[\s\S]*?<code>([\s\S]*?)<\/code>/g);
  return [...figures].flatMap(([, own, code = ""]) => (own === language ? [unescape(code)] : []));
}

function unescape(code: string): string {
  const named: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&amp;": "&",
  };
  return code.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => named[entity] ?? entity);
}

const NAMES = `
import { ApiError, createClient } from "../../src/client/client.ts";
declare const client: ReturnType<typeof createClient>;
declare const stop: AbortController;
declare const payments: { refund: (args: object, options: { idempotencyKey: string }) => Promise<string> };
declare function refund(what: object, options?: { idempotencyKey: string }): Promise<string>;
declare function pause(): Promise<void>;
declare const url: string, token: string, id: string, lease_token: string, output: string;
`;

describe("GET /api/v1/docs", () => {
  it("runs and loads nothing but its own script and style, which its policy names", async () => {
    const page = await createTestClient(server.url).get(DOCS);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^' ]+'; script-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(page.text).not.toMatch(/\ssrc=|<link|\sstyle=|\son\w+=/);
  });

  it("is written once: it keeps its ETag, and is answered 304 to who has it", async () => {
    const client = createTestClient(server.url);
    const etag = (await client.get(DOCS)).headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    expect((await client.get(DOCS, { "if-none-match": etag })).status).toBe(304);
  });

  it("shows every route, every named schema and every guide, and links only to what is there", async () => {
    const { paths, components } = (await createTestClient(server.url).get("/api/v1/openapi.json")).body;
    for (const [route, item] of Object.entries<Record<string, { operationId: string }>>(paths)) {
      expect(text).toContain(`<code>/api/v1${route}</code>`);
      for (const { operationId } of Object.values(item))
        expect(text).toContain(`<article id="${operationId}">`);
    }
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`id="shape-${name}"`);
    for (const id of [
      "authentication",
      "paging",
      "idempotency",
      "rate-limits",
      "errors",
      "gateway",
      "traces",
      "webhooks",
    ])
      expect(text).toContain(`<section class="guide" id="${id}">`);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of new Set(links)) expect(text).toContain(`id="${id}"`);
    // Also nested fields, bounds, and headers.
    expect(text).toContain("<code>steps[].key</code>");
    expect(text).toContain("integer, 0 to 9");
    expect(text).toContain("visible ASCII characters");
  });

  it("has examples for curl that a shell can read, one for each route", async () => {
    const samples = listSamples("curl");
    const { paths } = (await createTestClient(server.url).get("/api/v1/openapi.json")).body;
    const routes = Object.values<object>(paths).flatMap((item) => Object.keys(item));
    expect(samples.length).toBeGreaterThan(routes.length);
    await promisify(execFile)("bash", ["-n", "-c", samples.join("\n")]);
  });

  it("has an example for curl that creates a task", async () => {
    const { apiKey } = await server.createWorkspace();
    const sample =
      listSamples("curl").find((one) => one.includes(`-X POST "$AGENT_OPS_URL/api/v1/tasks"`)) ?? "";
    const env = { AGENT_OPS_URL: server.url, AGENT_OPS_TOKEN: apiKey };
    const { stdout } = await promisify(execFile)("bash", ["-c", sample], { env });
    expect(JSON.parse(stdout).task).toMatchObject({ title: "Refund order 42", status: "submitted" });
  });

  it("has examples in TypeScript that compile with the client", () => {
    const bodies = listSamples("typescript").map((code) => code.replaceAll(/^import .*$/gm, ""));
    expect(bodies.length).toBeGreaterThan(70);
    const functions = bodies.map((body, index) => `async function sample${index}() {\n${body}\n}`);
    expect(compileCode([NAMES, ...functions].join("\n"))).toEqual([]);
  }, 60_000);
});

describe.skipIf(LACKS_BROWSER)("GET /api/v1/docs in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  it.each([1440, 375])("is styled and fits into %i pixels", async (wanted) => {
    const complaints: string[] = [];
    const page = await openWindow(browser, complaints, { viewport: { width: wanted, height: 800 } });
    await page.goto(server.url + DOCS);
    expect(complaints).toEqual([]);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(wanted);
    // Of 180 articles, which are made alike and take a minute, every tenth is looked at.
    await page.evaluate(
      "document.querySelectorAll('main article').forEach((one, at) => at % 10 === 0 || one.remove())",
    );
    await expectAccessible(page);
  });

  it("finds a route after /, and goes there with Enter", async () => {
    const page = await openWindow(browser, []);
    await page.goto(server.url + DOCS);
    await page.keyboard.press("/");
    await page.keyboard.type("post tasks:write cancel");
    await page.getByRole("status").getByText("1 found").waitFor();
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#postTasksByIdCancel");
    await page.locator("#postTasksByIdCancel").and(page.locator(":target")).waitFor();
  });

  it("shows one language, which is remembered, and copies code", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const page = await openWindow(browser, [], { permissions });
    await page.goto(`${server.url}${DOCS}#postTasks`);
    const route = page.locator("#postTasks");
    await route.getByRole("button", { name: "TypeScript", exact: true }).click();
    await page.reload();
    await route.getByText("client.send").waitFor();
    expect(await route.locator("[data-language=curl]").isVisible()).toBe(false);
    await route.getByRole("button", { name: "Copy: TypeScript" }).click();
    await route.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`client.send("POST /tasks", {`);
  });

  it("can be read without a script", async () => {
    const page = await openWindow(browser, [], { javaScriptEnabled: false });
    await page.goto(`${server.url}${DOCS}#postTasks`);
    const route = page.locator("#postTasks");
    expect(await route.locator("[data-language=curl]").isVisible()).toBe(true);
    expect(await route.locator("[data-language=typescript]").isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "Create a task" }).first().isVisible()).toBe(true);
  });
});
