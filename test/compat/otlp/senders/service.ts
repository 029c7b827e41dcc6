import { startNode } from "../../../support/node-process.ts";
import { spawnCli } from "../../../cli/run-cli.ts";
import { type Sum, addDollars } from "./sum-calls.ts";

export type Service = {
  url: string;
  /** @returns its API key. */
  createWorkspace: (name: string) => Promise<string>;
  readCharged: (key: string) => Promise<Charged>;
  stop: () => Promise<number | null>;
};

/** What was charged, by the sums of usage and by those of the traces, which have no calls. */
type Charged = { byUsage: Sum; byTraces: Omit<Sum, "calls">; models: string[]; traceCount: number };

/** Starts the service with an empty database of its own. */
export async function startService(dataFolder: string): Promise<Service> {
  const environment = { DATA_DIR: dataFolder, DEMO: "0", LOG_LEVEL: "info" };
  const { url, stop } = await startNode(null, environment);
  return {
    ...{ url, stop },
    createWorkspace: async (name) => {
      const { stdout } = await spawnCli(["workspace", "create", "--name", name, "--json"], environment);
      return JSON.parse(stdout).api_key;
    },
    readCharged: async (key) => readCharged(url, key),
  };
}

type Row = { input_tokens: number; cache_read_tokens: number; output_tokens: number; cost_usd: string };
type UsageRow = Row & { calls: number };
type TraceRow = Row & { models: string[] };

async function readCharged(url: string, key: string): Promise<Charged> {
  async function read(place: string) {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${url}/api/v1/operator/${place}`, { headers })).json();
  }
  const { usage }: { usage: UsageRow[] } = await read("usage");
  const { traces }: { traces: TraceRow[] } = await read("traces?limit=100");
  return {
    byUsage: { calls: usage.reduce((sum, { calls }) => sum + calls, 0), ...sumRows(usage) },
    byTraces: sumRows(traces),
    models: [...new Set(traces.flatMap((trace) => trace.models))],
    traceCount: traces.length,
  };
}

function sumRows(rows: readonly Row[]): Omit<Sum, "calls"> {
  return {
    input: rows.reduce((sum, row) => sum + row.input_tokens, 0),
    cached: rows.reduce((sum, row) => sum + row.cache_read_tokens, 0),
    output: rows.reduce((sum, row) => sum + row.output_tokens, 0),
    cost: addDollars(rows.map((row) => row.cost_usd)),
  };
}
