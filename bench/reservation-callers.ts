import { pino } from "pino";
import { readConfig } from "../src/config/config.ts";
import { reserveBudget } from "../src/domain/budgets/reserve-budget.ts";
import { openCtx, systemCaller } from "../src/domain/kernel/context.ts";
import { openServices } from "../src/services.ts";
import { openRowReservations } from "./peers/budget-rows.ts";
import type { CallersOptions, CallersResult } from "./reservations.ts";

/** A node's callers that reserve as fast as they can, without HTTP. Prints what {@link CallersResult} says. */
const options = JSON.parse(process.argv[2] ?? "{}") as CallersOptions;
const CALLERS = 32;

const { reserve, close } = await (options.way === "combined" ? openCombined() : openRows());
// Connections and code are warm.
await Promise.all(Array.from({ length: CALLERS }, reserve));
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const result = await run();
process.stdout.write(`${JSON.stringify(result)}\n`);
await close();
process.exit();

async function run(): Promise<CallersResult> {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const untilMs = startedMs + options.seconds * 1000;
  const times: number[] = [];
  async function call(): Promise<void> {
    for (let begunMs = performance.now(); begunMs < untilMs; begunMs = performance.now()) {
      await reserve();
      times.push(performance.now() - begunMs);
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call));
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const p99Ms = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? NaN;
  return { perSecond: times.length / seconds, nodeMs: (user + system) / 1000 / times.length, p99Ms };
}

type Reservations = { reserve: () => Promise<unknown>; close: () => Promise<void> };

async function openCombined(): Promise<Reservations> {
  const { databaseUrl, workspaceId, agentId } = options;
  const log = pino({ level: "warn" }, pino.destination(2));
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), log);
  const parent = { kind: "api_key", id: agentId } as const;
  const ids = { id: agentId, parent, lineageId: agentId };
  const credential = { kind: "api_key", ...ids, expiresAt: null } as const;
  const scopes = new Set(["gateway:check"] as const);
  const actor = { type: "agent", id: agentId, name: "bench", scopes, credential } as const;
  return {
    reserve: () => {
      const caller = { ...systemCaller(workspaceId, "bench"), actor };
      return reserveBudget(openCtx(services, caller), { amounts: { tokens: "1" } });
    },
    close: () => services.close(),
  };
}

async function openRows(): Promise<Reservations> {
  const { reserve: reserveRows, close: closeRows } = await openRowReservations(
    options.databaseUrl,
    options.workspaceId,
  );
  return { reserve: () => reserveRows(1), close: closeRows };
}
