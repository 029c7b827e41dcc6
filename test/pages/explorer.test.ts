import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { buildExplorer } from "../support/build-dashboard.ts";
import { fillLogIn } from "../support/fill-log-in.ts";
import { createTestClient } from "../support/test-client.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

const PATH = "/graphql/explorer";

let world: PageWorld;

beforeAll(async () => {
  await buildExplorer();
  world = await openPageWorld();
}, 120_000);

afterAll(() => world.close());

describe(`GET ${PATH}`, () => {
  it("leads to the log-in page and back without a session, whatever bearer is sent", async () => {
    const answer = await createTestClient(world.server.url).get(PATH, { accept: "text/html" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/users/log-in?return_to=%2Fgraphql%2Fexplorer");
  });

  it("runs only scripts of this server, which are public and never change", async () => {
    const page = await (await world.enter()).get(PATH);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
    const [, script = ""] = /src="(\/graphql\/explorer\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
    const asset = await createTestClient(world.server.url).get(script);
    expect(asset.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(asset.headers.get("cache-control")).toContain("immutable");
    const missing = await createTestClient(world.server.url).get(`${PATH}/assets/..%2findex.html`);
    expect(missing.status).toBe(404);
  });
});

describe.skipIf(LACKS_BROWSER)(`${PATH} in a browser`, { timeout: 60_000 }, () => {
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  async function openExplorer(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
    const page = await openWindow(browser, complaints, options);
    await page.goto(world.server.url + PATH);
    await fillLogIn(page, await world.person());
    await page.getByRole("heading", { name: "GraphQL explorer" }).waitFor();
    return page;
  }

  /** Replaces the operation by another, and runs it once its tab has its name. */
  async function run(page: Page, operation: string): Promise<void> {
    await page.locator(".graphiql-query-editor .CodeMirror").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(operation);
    await page.locator(".graphiql-tab").getByText("Mine", { exact: true }).waitFor();
    await page.keyboard.press("Control+Enter");
  }

  async function expectResult(page: Page, word: string): Promise<void> {
    await page.locator(".result-window").getByText(`"${word}"`).waitFor();
  }

  it("runs the first query, and a mutation, with the session's rights", async () => {
    const page = await openExplorer();
    await page.locator(".graphiql-tab").getByText("FirstTasks", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Execute query/ }).click();
    await expectResult(page, "totalCount");
    await run(
      page,
      `mutation Mine { createTask(input: { title: "From the explorer" }) { task { title status } } }`,
    );
    await expectResult(page, "SUBMITTED");
    await page.context().close();
  });

  it("explains the schema, and follows events by the session's socket", async () => {
    const page = await openExplorer();
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByRole("link", { name: "Mutation", exact: true }).waitFor();
    await run(page, "subscription Mine { events { __typename } }");
    await expectResult(page, "StreamOpened");
    await page.context().close();
  });

  it.each([1440, 375])("is accessible in both themes at %i pixels, also with a dialog", async (width) => {
    const page = await openExplorer({ viewport: { width, height: 800 } });
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByRole("link", { name: "Mutation", exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Open settings dialog" }).click();
    await page.getByRole("button", { name: "Clear data" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});
