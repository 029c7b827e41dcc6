import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { openServices } from "../src/services.ts";
import { measureHeld, mint } from "./mcp-held.ts";
import { SLUG, seedMcp } from "./mcp-seed.ts";
import { type LoadResult, type Request, measure, measureInTurn } from "./measure.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const FROM_SOURCE = ["--import", "tsx"];
const ALLOWED = "127.0.0.0/8";

type Measured = { ours: MeasuredProcess; plain: MeasuredProcess; token: string; postmaster: number };

/** Calls through the proxy compared with a plain reverse proxy before the same server, lists of tools, and held calls. */
export async function mcpBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const subjects: MeasuredProcess[] = [];
  async function start(...[name, command, variables]: Parameters<typeof startSubject>) {
    const subject = await startSubject(name, command, variables);
    subjects.push(subject);
    return subject;
  }
  try {
    const upstream = await start("upstream", [...FROM_SOURCE, "bench/peers/mcp-upstream.ts"], {});
    const services = await openServices(
      readConfig({ DATABASE_URL: embedded.url, OUTBOUND_ALLOW: ALLOWED }),
      log,
    );
    const seed = await seedMcp(services, upstream.url);
    await services.close();
    const state = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
    const ours = await start("Agent Ops", ["dist/src/main.js"], {
      DATABASE_URL: embedded.url,
      NODE_ENV: "production",
      OUTBOUND_ALLOW: ALLOWED,
      PORT: "0",
      RATE_LIMIT: "0",
      DEMO: "0",
    });
    const plain = await start("plain proxy", [...FROM_SOURCE, "bench/peers/plain-proxy.ts"], {
      TARGET: upstream.url,
    });
    const postmaster = Number(readFileSync(state, "utf8").split("\n")[0]);
    await compare({ ours, plain, token: await mint(ours, seed.apiKey, "caller"), postmaster });
    await measureHeld(ours, upstream.url, seed);
  } finally {
    for (const subject of subjects.toReversed()) await subject.stop();
    await embedded.stop();
  }
}

async function compare({ ours, plain, token, postmaster }: Measured): Promise<void> {
  const options = { seconds: SECONDS, postmaster };
  const args = { amount: 90, currency: "USD", order: "A-17" };
  const call = createRequest(token, "tools/call", { name: "refund", arguments: args });
  const { proxied, passed, listed, asked } = await measureInTurn(ROUNDS, {
    passed: () => measure(plain, { ...call, path: "/" }, options),
    proxied: () => measure(ours, call, options),
    listed: () => measure(ours, createRequest(token, "tools/list", {}), options),
    asked: () => measure(ours, { ...createRequest(token, "ping", {}), path: "/mcp" }, options),
  });
  const added = proxied.nodeMs + proxied.postgresMs - passed.nodeMs;
  print(["what", "value", "target", "per second", "Node ms", "PostgreSQL ms", "p50 ms", "p99 ms"]);
  print(["plain proxy", "", "", ...listFigures(passed)]);
  print(["proxy with 50 policies: CPU added, ms", added.toFixed(2), "<= 2", ...listFigures(proxied)]);
  const share = (proxied.perSecond / passed.perSecond).toFixed(2);
  print(["proxy: throughput of the plain one", share, ">= 0.9", "", "", "", "", ""]);
  const list = (listed.nodeMs + listed.postgresMs).toFixed(2);
  print(["tools/list of the proxy: CPU, ms", list, "<= 1", ...listFigures(listed)]);
  print(["ping of /mcp: CPU, ms", (asked.nodeMs + asked.postgresMs).toFixed(2), "", ...listFigures(asked)]);
}

function createRequest(token: string, method: string, params: object): Request {
  return {
    path: `/mcp/proxy/${SLUG}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: { jsonrpc: "2.0", id: 1, method, params },
  };
}

function listFigures({ perSecond, nodeMs, postgresMs, p50Ms, p99Ms }: LoadResult): (string | number)[] {
  return [Math.round(perSecond), nodeMs.toFixed(2), postgresMs.toFixed(2), p50Ms, p99Ms];
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
