import { ConfigError, readProcessConfig } from "./config/config.ts";
import { createLogger } from "./config/logger.ts";
import { startServer } from "./server.ts";

async function main(): Promise<void> {
  const config = readProcessConfig();
  const log = createLogger(config.logLevel);
  const server = await startServer(config, log);
  process.stdout.write(`Agent Ops listens on ${server.url}\n`);
  stopOnSignal(() => server.stop());
}

/** The first signal drains, the second ends at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  function onSignal(): void {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  }
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

try {
  await main();
} catch (error) {
  const shown = error instanceof ConfigError || !(error instanceof Error) ? String(error) : error.message;
  process.stderr.write(`${shown}\n`);
  process.exitCode = 1;
}
