import { claimBench } from "./claim.ts";
import { commandsBench } from "./commands.ts";
import { dashboardBench } from "./dashboard.ts";
import { fleetBench } from "./fleet.ts";
import { gatewayBench } from "./gateway.ts";
import { listsBench } from "./lists.ts";
import { liveBench } from "./live.ts";
import { mcpBench } from "./mcp.ts";
import { robotsBench } from "./robots.ts";
import { scaleBench } from "./scale.ts";
import { scimBench } from "./scim.ts";
import { tracesBench } from "./traces.ts";
import { webhooksBench } from "./webhooks.ts";
import { resetLatencyBench } from "./reset-latency.ts";

const BENCHES: Record<string, () => Promise<void>> = {
  claim: claimBench,
  commands: commandsBench,
  dashboard: dashboardBench,
  fleet: fleetBench,
  gateway: gatewayBench,
  lists: listsBench,
  live: liveBench,
  mcp: mcpBench,
  reset: resetLatencyBench,
  robots: robotsBench,
  scale: scaleBench,
  scim: scimBench,
  traces: tracesBench,
  webhooks: webhooksBench,
};

/** `npm run bench -- NAME`: compares with peers and prints ratios. */
const name = process.argv[2] ?? "";
const bench = BENCHES[name];
if (bench === undefined) {
  process.stderr.write(`Unknown bench. Use one of: ${Object.keys(BENCHES).join(", ")}\n`);
  process.exitCode = 2;
} else {
  await bench();
}
