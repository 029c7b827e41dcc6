import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { dashboardTableBench } from "./dashboard-table.ts";
import { startSubject } from "./processes.ts";

const LOADS = 10;

/** Load times in milliseconds since navigation. */
type Load = { interactive: number; whole: number; scriptBytes: number };

/** The dashboard's first load in Chromium with an empty cache and the demo's data; then a long table. */
export async function dashboardBench(): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-bench-"));
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  const environment = { PORT: "0", DEMO: "1", DATA_DIR: dataDir, DATABASE_URL: embedded.url };
  const subject = await startSubject("Agent Ops", ["dist/src/main.js"], environment);
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  let isRunning = true;

  async function stop(): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    await subject.stop();
    await embedded.stop();
  }

  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const storageState = await logIn(browser, subject.url, await demoIn(dataDir));
    const loads: Load[] = [];
    for (let load = 0; load < LOADS; load++) loads.push(await openOnce(browser, subject.url, storageState));
    process.stdout.write(
      `first view, ${LOADS} loads with an empty cache: interactive ${getMedian(loads, "interactive")} ms, with all ` +
        `of its numbers ${getMedian(loads, "whole")} ms (median); ${getMedian(loads, "scriptBytes")} bytes of scripts\n`,
    );
    await stop();
    await dashboardTableBench(browser);
  } finally {
    await browser.close();
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Demo = { email: string; password: string };
type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function demoIn(dataDir: string): Promise<Demo> {
  for (;;) {
    try {
      // Written by the server.
      const demo = JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8")) as Demo & {
        filled?: boolean;
      };
      if (demo.filled === true) return demo;
    } catch {
      // It is not there yet.
    }
    await sleep(500);
  }
}

async function logIn(browser: Browser, url: string, { email, password }: Demo): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/users/log-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Times are measured inside the page, because the driver would add its own. */
async function openOnce(browser: Browser, url: string, storageState: State): Promise<Load> {
  const context = await browser.newContext({ storageState });
  await context.addInitScript(`
    const times = (window.loadTimes = {});
    new MutationObserver(() => {
      if (document.querySelector("h1")) times.interactive ??= performance.now();
      if (document.querySelector(".now-count") && document.querySelector(".uplot")) times.whole ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
  `);
  const page = await context.newPage();
  await page.goto(url);
  for (const drawn of [".now-count", ".uplot"]) await page.locator(drawn).first().waitFor();
  const load = await page.evaluate<Load>(`({
    ...window.loadTimes,
    scriptBytes: performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  })`);
  await context.close();
  return load;
}

function getMedian(loads: readonly Load[], what: keyof Load): number {
  const sorted = loads.map((load) => load[what]).toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}
