import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How callers reserve: by our budgets, or with rows that are locked one by one. */
export type CallersOptions = {
  way: "combined" | "rows";
  databaseUrl: string;
  workspaceId: string;
  agentId: string;
  seconds: number;
};

/** `nodeMs` is CPU time per reservation. */
export type CallersResult = { perSecond: number; nodeMs: number; p99Ms: number };

const NODES = 2;

/** Reserves on two nodes at once, 32 callers each, without HTTP. */
export async function measureReservations(options: CallersOptions): Promise<CallersResult> {
  // The tables of the peer are made by the first.
  const nodes = [];
  for (let node = 0; node < NODES; node++) nodes.push(await startCallers(options));
  const results = await Promise.all(nodes.map(({ run }) => run()));
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    nodeMs: results.reduce((sum, { nodeMs }) => sum + nodeMs, 0) / NODES,
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  };
}

async function startCallers(options: CallersOptions): Promise<{ run: () => Promise<CallersResult> }> {
  const command = ["--import", "tsx", "bench/reservation-callers.ts", JSON.stringify(options)];
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function readLine(): Promise<string> {
    const line = await lines.next();
    if (line.done === true) throw new Error("the callers ended");
    return line.value;
  }
  await readLine();
  return {
    run: async () => {
      child.stdin.end("go\n");
      return JSON.parse(await readLine()) as CallersResult;
    },
  };
}
