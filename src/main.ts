#!/usr/bin/env node
import { once } from "node:events";
import type { DestinationStream } from "pino";
import { findDemo } from "./demo/demo-file.ts";
import { demoLines } from "./demo/demo-lines.ts";
import { fillDemo } from "./demo/fill-demo.ts";
import { isDemoWanted } from "./demo/is-demo-wanted.ts";
import { isPasswordKept } from "./demo/is-password-kept.ts";
import { prepareDemo } from "./demo/prepare-demo.ts";
import { openShop } from "./demo/shop/open-shop.ts";
import { startSimulator } from "./demo/simulator/start-simulator.ts";
import { type Config, ConfigError, readProcessConfig } from "./config/config.ts";
import { createLogger } from "./config/logger.ts";
import { createPrettyLog } from "./config/pretty-log.ts";
import { type RunningServer, startServer } from "./server.ts";

async function main(): Promise<void> {
  const config = readProcessConfig();
  const log = createLogger(config.logLevel, chooseLogStream(config));
  // Created before anything is started, so that a signal during the start is handled after it.
  const stopping = createStopSignal();
  const server = await startServer(config, log);
  if (!stopping.aborted) {
    process.stdout.write(`Agent Ops listens on ${server.url}\n`);
    const demo = showDemo(config, server, stopping).catch((error: unknown) => {
      log.error({ err: error }, "the demo could not be filled; the next start will continue");
    });
    if (!stopping.aborted) await once(stopping, "abort");
    await demo;
  }
  await server.stop();
}

/** Undefined for standard output as it is. */
function chooseLogStream({ logFormat }: Config): DestinationStream | undefined {
  const isPretty = logFormat === "pretty" || (logFormat === null && process.stdout.isTTY);
  return isPretty ? createPrettyLog((text) => process.stdout.write(text)) : undefined;
}

/**
 * Prints the demo's credentials if there is a demo, fills in what is missing, and runs its robots, its software agents
 * and the shop that these use until the signal.
 */
async function showDemo(
  config: Config,
  { services, url }: RunningServer,
  signal: AbortSignal,
): Promise<void> {
  if (!config.demo) return;
  const { dataDir } = config;
  const wanted = await isDemoWanted(services, dataDir);
  const credentials = wanted ? await prepareDemo(services, dataDir) : await findDemo(services, dataDir);
  if (credentials === null) return;
  const place = { baseUrl: url, dataDir, isPasswordKept: await isPasswordKept(services, credentials) };
  process.stdout.write(`${demoLines(credentials, place).join("\n")}\n`);
  const { workspaceId } = credentials;
  const simulator = startSimulator(services, workspaceId, signal);
  const closeShop = await openShop(services, workspaceId);
  try {
    if (wanted) await fillDemo(services, { log: services.log, dataDir, signal });
    await simulator;
  } finally {
    await closeShop();
  }
}

/** npm passes on the signal of a Ctrl-C, which the terminal sends to all processes, within this time. */
const PASSED_ON_MS = 1000;

/** Aborted by the first SIGTERM or SIGINT. A later one ends the process immediately. */
function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | null = null;
  function onSignal(): void {
    firstMs ??= performance.now();
    if (performance.now() - firstMs > PASSED_ON_MS) process.exit(1);
    controller.abort();
  }
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return controller.signal;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const shown = error instanceof ConfigError || !(error instanceof Error) ? String(error) : error.message;
  process.stderr.write(`${shown}\n`);
  process.exit(1);
}
