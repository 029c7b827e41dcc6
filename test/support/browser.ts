import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { expect } from "vitest";

/** The headless shell first: it draws no window of a browser, and takes two thirds of the time. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

const executablePath = PLACES.find(isExecutable);

/** Whether browser tests can't run, because Chromium isn't installed and this isn't CI. */
export const LACKS_BROWSER = executablePath === undefined && process.env["CI"] === undefined;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a headless Chromium that connects only to the server. */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`no Chromium is installed at ${PLACES.join(", ")}`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  return chromium.launch({ executablePath, args });
}

/** Opens a window with its own cookies. Console errors are added to `complaints`. */
export async function openWindow(
  browser: Browser,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  // Colors would be measured during their transitions.
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.on("console", (message) => {
    // Tests check the status of rejected forms themselves.
    const isStatus = /status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isStatus) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return page;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`;

/** Checks a page with accessibility tools, in light and dark mode, and its width. */
export async function expectAccessible(page: Page): Promise<void> {
  // A view of the dashboard has a heading as soon as its data is loaded.
  await page.locator("h1").first().waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    expect({ url: page.url(), colorScheme, found: await page.evaluate(RUN) }).toEqual({
      url: page.url(),
      colorScheme,
      found: [],
    });
  }
  await page.emulateMedia({ colorScheme: null });
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect({ url: page.url(), overflow }).toEqual({ url: page.url(), overflow: 0 });
}
