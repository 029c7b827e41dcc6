import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { type OpenServices, openServices } from "../src/services.ts";
import { startEmailDelivery } from "../src/auth/emails/start-email-delivery.ts";
import { requestReset } from "../src/auth/reset/request-reset.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";

const PAIRS = Number(process.env["BENCH_PAIRS"] ?? 2000);
const WARM_UP = 200;
/** Maximum relative difference of the two medians. */
const TOLERANCE = 0.1;

/**
 * The duration of a reset request for an address with an account and for one without, in turn, while emails are
 * delivered to the mailbox. Fails if the medians differ by more than a tenth.
 */
export async function resetLatencyBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-bench-"));
  const services = await openServices(readConfig({ DATABASE_URL: embedded.url, DATA_DIR: dataDir }), log);
  const delivery = startEmailDelivery(services);
  try {
    await seedPeople(services);
    report(await measurePairs(services));
  } finally {
    await delivery.stop();
    await services.close();
    await embedded.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function seedPeople(services: OpenServices): Promise<void> {
  const { workspaceId } = await createWorkspace(services, { name: "Bench" });
  await services.database.prisma.$executeRawUnsafe(
    `INSERT INTO "user" (workspace_id, id, email, role)
     SELECT $1::uuid, gen_random_uuid(), 'known-' || n || '@example.com', 'viewer' FROM generate_series(0, $2::int) n`,
    ...[workspaceId, PAIRS + WARM_UP],
  );
  await services.database.prisma.$executeRawUnsafe('VACUUM ANALYZE "user"');
}

type Latencies = { known: number[]; unknown: number[] };

async function measurePairs(services: OpenServices): Promise<Latencies> {
  const latencies: Latencies = { known: [], unknown: [] };
  for (let n = 0; n < PAIRS + WARM_UP; n++) {
    // Each goes first every other time.
    const order = n % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const [place, kind] of order.entries()) {
      const ip = `10.${n >> 8}.${n & 255}.${place}`;
      const start = performance.now();
      await requestReset(services, { email: `${kind}-${n}@example.com`, ip });
      if (n >= WARM_UP) latencies[kind].push(performance.now() - start);
    }
  }
  return latencies;
}

function report({ known, unknown }: Latencies): void {
  process.stdout.write("address | requests | p50 ms | p90 ms | p99 ms\n");
  for (const [kind, values] of [["known", known] as const, ["unknown", unknown] as const]) {
    const shown = [0.5, 0.9, 0.99].map((part) => quantile(values, part).toFixed(3));
    process.stdout.write(`${[kind, values.length, ...shown].join(" | ")}\n`);
  }
  const ratio = quantile(known, 0.5) / quantile(unknown, 0.5);
  const isWithin = Math.abs(ratio - 1) <= TOLERANCE;
  process.stdout.write(`known / unknown at the median: ${ratio.toFixed(3)} (target: within ${TOLERANCE})\n`);
  if (!isWithin) process.exitCode = 1;
}

function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}
