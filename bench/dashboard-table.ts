import { pino } from "pino";
import type { Browser, Page } from "playwright-core";
import { openServices } from "../src/services.ts";
import { createUser } from "../src/auth/users/create-user.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { openCtx, systemCaller } from "../src/domain/kernel/context.ts";
import { startSubject } from "./processes.ts";
import { seedWorkspace } from "./seed.ts";

const ROWS = 100_000;
const PAGES = 10;
/** Frames longer than this are visible to people. */
const LONG_MS = 50;
const WAIT_MS = 20_000;
const PERSON = { email: "table@example.com", password: "a quiet harbour at dawn" };

/** Frame times while scrolling through a page of a table. */
type Scrolled = { frames: number; long: number; worst: number };

/** A table of 100,000 tasks in Chromium: the time to open the next page, and how smoothly it scrolls. */
export async function dashboardTableBench(browser: Browser): Promise<void> {
  const embedded = await startTemporary(pino({ level: "warn" }, pino.destination(2)));
  try {
    await seed(embedded.url);
    const environment = { DATABASE_URL: embedded.url, PORT: "0", DEMO: "0", RATE_LIMIT: "0" };
    const subject = await startSubject("Agent Ops", ["dist/src/main.js"], environment);
    try {
      await measure(browser, subject.url);
    } finally {
      await subject.stop();
    }
  } finally {
    await embedded.stop();
  }
}

async function seed(databaseUrl: string): Promise<void> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), pino({ level: "silent" }));
  const { workspaceId } = await seedWorkspace(services, ROWS);
  const ctx = openCtx(services, systemCaller(workspaceId, "bench"));
  await createUser(ctx, services.passwords, { ...PERSON, name: "Bench", role: "operator", confirmed: true });
  await services.database.prisma.$executeRawUnsafe("VACUUM ANALYZE task");
  await services.close();
}

async function measure(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(`${url}/users/log-in?return_to=${encodeURIComponent("/tasks?view=list")}`);
  await page.getByLabel("Email").fill(PERSON.email);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Password").fill(PERSON.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("tbody [data-row]").first().waitFor();
  const turns: number[] = [];
  const scrolls: Scrolled[] = [];
  for (let at = 0; at < PAGES; at++) {
    scrolls.push(await page.evaluate<Scrolled>(SCROLL));
    turns.push(await turn(page));
  }
  await context.close();
  report(turns, scrolls);
}

/** Opens the next page. @returns milliseconds until its first row is rendered. */
async function turn(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const first = () => document.querySelector("tbody [data-row='0']")?.textContent;
    const [before, from] = [first(), performance.now()];
    const late = setTimeout(() => reject(new Error("no next page")), ${WAIT_MS});
    function look() {
      if (first() === undefined || first() === before) return requestAnimationFrame(look);
      clearTimeout(late);
      resolve(performance.now() - from);
    }
    [...document.querySelectorAll(".pager a")].find(({ textContent }) => textContent === "Older").click();
    window.scrollTo(0, 0);
    look();
  })`);
}

/** Scrolls from the first row to the last and back, 30 pixels per frame. */
const SCROLL = `new Promise((resolve) => {
  const gaps = [];
  let [last, at, step] = [null, 0, 30];
  function frame(now) {
    if (last !== null) gaps.push(now - last);
    last = now;
    at += step;
    window.scrollTo(0, at);
    if (at >= document.documentElement.scrollHeight - innerHeight) step = -30;
    if (at > 0) return requestAnimationFrame(frame);
    resolve({
      frames: gaps.length,
      long: gaps.filter((gap) => gap > ${LONG_MS}).length,
      worst: Math.max(...gaps),
    });
  }
  requestAnimationFrame(frame);
})`;

function report(turns: readonly number[], scrolls: readonly Scrolled[]): void {
  const sorted = turns.toSorted((one, other) => one - other);
  const frames = scrolls.reduce((sum, scroll) => sum + scroll.frames, 0);
  const long = scrolls.reduce((sum, scroll) => sum + scroll.long, 0);
  const worst = Math.max(...scrolls.map((scroll) => scroll.worst));
  process.stdout.write(
    `a table of ${ROWS} tasks: the next page in ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms ` +
      `(median of ${turns.length}, worst ${Math.round(sorted.at(-1) ?? 0)} ms); scrolling through 100 rows and back, ` +
      `${scrolls.length} times: ${long} of ${frames} frames over ${LONG_MS} ms, ` +
      `worst ${Math.round(worst)} ms\n`,
  );
}
