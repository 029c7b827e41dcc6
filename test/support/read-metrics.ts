import type { RunningServer } from "../../src/server.ts";

/** Reads a node's metrics as Prometheus does. */
export async function scrape({ metricsPort }: Pick<RunningServer, "metricsPort">): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort ?? 0}/metrics`)).text();
}

/** A node's metrics by name and labels. */
export async function readMetrics(
  server: Pick<RunningServer, "metricsPort">,
): Promise<Record<string, number>> {
  const lines = (await scrape(server)).split("\n").filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}
