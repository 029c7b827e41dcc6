/**
 * Takes the pictures of the dashboard in docs/images, which the README shows: starts a server of its own with the demo,
 * waits until it is filled, and opens views in Chromium. Run by `npm run screenshots`.
 *
 * The variable CHROMIUM names the browser; default: /usr/bin/chromium.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Page, chromium } from "playwright-core";
import { indexColors } from "./index-colors.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const IMAGES = path.join(ROOT, "docs/images");
const SIZE = { width: 1440, height: 900 };
/** A README with larger ones is slow to open. */
const MAX_BYTES = 120_000;
const FILLED_WITHIN_MS = 300_000;
const ASKED_WITHIN_MS = 120_000;

/** What `data/demo.json` says. */
type Demo = { email: string; password: string; api_key: string; filled?: boolean };

/** A picture: its name, where it is taken, and what has to be seen before. */
type Picture = { name: string; path: string; ready: string };

const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), "agent-ops-screenshots-"));
// As root, PostgreSQL runs as another user.
await fs.chmod(dataDir, 0o755);
const port = await findPort();
const server = startServer();
try {
  const demo = await waitForDemo();
  await takePictures(demo, await listPictures(demo));
} finally {
  await stop(server);
  await fs.rm(dataDir, { recursive: true, force: true });
}

async function findPort(): Promise<number> {
  const listener = net.createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

function startServer(): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  // The server has a database of its own.
  delete env["DATABASE_URL"];
  return spawn(process.execPath, [path.join(ROOT, "dist/src/main.js")], { env, stdio: "inherit" });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}

/** Waits until the demo's history has been written. */
async function waitForDemo(): Promise<Demo> {
  const untilMs = performance.now() + FILLED_WITHIN_MS;
  while (performance.now() < untilMs && server.exitCode === null) {
    const text = await fs.readFile(path.join(dataDir, "demo.json"), "utf8").catch(() => "{}");
    // The server writes it.
    const demo = JSON.parse(text) as Partial<Demo>;
    if (demo.filled === true) return demo as Demo;
    await wait(500);
  }
  throw new Error("the demo was not filled in time");
}

async function listPictures(demo: Demo): Promise<Picture[]> {
  const { tasks } = await read<{ tasks: { id: string; attempt: number }[] }>(
    demo,
    "/tasks?status=completed&limit=100",
  );
  const { traces } = await read<{ traces: { trace_id: string; span_count: number }[] }>(
    demo,
    "/operator/traces?limit=100",
  );
  const approval = await waitForApproval(demo);
  const task = tasks.toSorted((one, other) => other.attempt - one.attempt)[0]?.id ?? "";
  const trace = traces.toSorted((one, other) => other.span_count - one.span_count)[0]?.trace_id ?? "";
  return [
    { name: "now", path: "/", ready: "h1" },
    { name: "approvals", path: `/approvals/${approval}`, ready: "h2" },
    { name: "trace", path: `/traces/${trace}`, ready: "h1" },
    { name: "robots", path: "/robots", ready: "h1" },
    { name: "task", path: `/tasks/${task}`, ready: "h1" },
  ];
}

/** The demo's agents ask people again and again. */
async function waitForApproval(demo: Demo): Promise<string> {
  const untilMs = performance.now() + ASKED_WITHIN_MS;
  while (performance.now() < untilMs) {
    const { approvals } = await read<{ approvals: { id: string }[] }>(
      demo,
      "/operator/approvals?status=pending",
    );
    const [first] = approvals;
    if (first !== undefined) return first.id;
    await wait(500);
  }
  throw new Error("no agent asked for approval in time");
}

async function read<Body>(demo: Demo, place: string): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${place}`, {
    headers: { authorization: `Bearer ${demo.api_key}` },
  });
  if (!answer.ok) throw new Error(`${place} was answered with ${answer.status}`);
  // As the API describes it.
  return (await answer.json()) as Body;
}

async function takePictures(demo: Demo, pictures: Picture[]): Promise<void> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
    await logIn(page, demo);
    await fs.mkdir(IMAGES, { recursive: true });
    for (const picture of pictures) await take(page, picture);
  } finally {
    await browser.close();
  }
}

async function logIn(page: Page, { email, password }: Demo): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}/users/log-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

async function take(page: Page, { name, path: place, ready }: Picture): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}${place}`);
  await page.locator(ready).first().waitFor();
  // Charts and maps are drawn once their data and typefaces have arrived.
  await page.waitForLoadState("networkidle");
  await page.evaluate("document.fonts.ready");
  const file = path.join(IMAGES, `${name}.png`);
  const png = indexColors(await page.screenshot({ animations: "disabled", caret: "hide" }));
  await fs.writeFile(file, png);
  console.log(`${path.relative(ROOT, file)}: ${png.length} bytes`);
  if (png.length > MAX_BYTES) throw new Error(`${name}.png has more than ${MAX_BYTES} bytes`);
}
