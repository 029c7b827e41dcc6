import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { openServices } from "../src/services.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { type LoadResult, measureInTurn, measure } from "./measure.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";
import { type Seeded, seedWorkspace } from "./seed.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SIZES = [1000, 10_000, 1_000_000];

/** The lists compared with Fastify and pg, and Fastify and Prisma, on one database at three sizes. */
export async function listsBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const subjects: MeasuredProcess[] = [];
  async function start(
    name: string,
    command: string[],
    variables: Record<string, string>,
  ): Promise<MeasuredProcess> {
    const subject = await startSubject(name, command, variables);
    subjects.push(subject);
    return subject;
  }
  try {
    const seeded = await seed(embedded.url, log);
    const ours = { ...environment, PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
    const tsx = ["--import", "tsx"];
    const postmaster = Number(
      readFileSync(path.join(embedded.directory, "cluster", "data", "postmaster.pid"), "utf8").split("\n")[0],
    );
    await compare(
      {
        ours: await start("Agent Ops", ["dist/src/main.js"], ours),
        pg: await start("Fastify + pg", [...tsx, "bench/peers/fastify-pg.ts"], environment),
        prisma: await start("Fastify + Prisma", [...tsx, "bench/peers/fastify-prisma.ts"], environment),
        postmaster,
      },
      seeded,
    );
  } finally {
    for (const subject of subjects) await subject.stop();
    await embedded.stop();
  }
}

async function seed(databaseUrl: string, log: pino.Logger): Promise<Seeded[]> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), log);
  const seeded: Seeded[] = [];
  for (const rows of SIZES) seeded.push(await seedWorkspace(services, rows));
  await services.database.prisma.$executeRawUnsafe("VACUUM ANALYZE task");
  await services.database.prisma.$executeRawUnsafe("VACUUM ANALYZE message");
  await services.close();
  return seeded;
}

type Peers = { ours: MeasuredProcess; pg: MeasuredProcess; prisma: MeasuredProcess; postmaster: number };

const LISTS = ["/api/v1/tasks", "/api/v1/messages"];

async function compare(peers: Peers, seeded: Seeded[]): Promise<void> {
  print([
    ...["list", "rows", "against", "ratio", "target"],
    ...["ours: Node ms", "PostgreSQL ms", "p50 ms", "peer: Node ms", "PostgreSQL ms", "p50 ms"],
  ]);
  for (const workspace of seeded) {
    for (const list of LISTS) await compareList(peers, workspace, list);
  }
  const largest = seeded.at(-1);
  if (largest !== undefined) await compareDeep(peers, largest);
}

async function compareList(peers: Peers, { rows, apiKey }: Seeded, list: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { headers: answered } = await fetch(peers.ours.url + list, { headers });
  const known = { ...headers, "if-none-match": answered.get("etag") ?? "" };
  const { postmaster } = peers;
  const runs = await measureInTurn(ROUNDS, {
    ours: () => measure(peers.ours, { path: list, headers }, { seconds: SECONDS, postmaster }),
    pg: () => measure(peers.pg, { path: list, headers }, { seconds: SECONDS, postmaster }),
    prisma: () => measure(peers.prisma, { path: list, headers }, { seconds: SECONDS, postmaster }),
    unchanged: () =>
      measure(peers.ours, { path: list, headers: known }, { seconds: SECONDS, postmaster, status: 304 }),
  });
  const targets = TARGETS[`${list} ${rows}`] ?? {};
  printRatio([list, rows, "Fastify + pg", targets.pg], runs.ours, runs.pg);
  printRatio([list, rows, "Fastify + Prisma", targets.prisma], runs.ours, runs.prisma);
  printRatio([list, rows, "the list itself, when 304", 4], runs.unchanged, runs.ours);
}

async function compareDeep({ ours, pg, postmaster }: Peers, { rows, apiKey }: Seeded): Promise<void> {
  const deep = { path: "/api/v1/tasks?offset=10000", headers: { authorization: `Bearer ${apiKey}` } };
  const runs = await measureInTurn(ROUNDS, {
    ours: () => measure(ours, deep, { seconds: SECONDS, postmaster }),
    pg: () => measure(pg, deep, { seconds: SECONDS, postmaster }),
  });
  printRatio([deep.path, rows, "Fastify + pg", undefined], runs.ours, runs.pg);
}

/** Minimum ratios of throughput. */
const TARGETS: Record<string, { pg?: number; prisma?: number }> = {
  "/api/v1/tasks 10000": { pg: 1.2 },
  "/api/v1/tasks 1000000": { pg: 20 },
  "/api/v1/messages 1000": { pg: 0.6, prisma: 0.9 },
  "/api/v1/messages 10000": { pg: 0.6, prisma: 0.9 },
  "/api/v1/messages 1000000": { pg: 0.6, prisma: 0.9 },
};

/** A row of the table: list, number of rows, peer, and the minimum ratio. */
type Row = [list: string, rows: number, against: string, target: number | undefined];

function printRatio([list, rows, against, target]: Row, ours: LoadResult, peer: LoadResult): void {
  const ratio = (ours.perSecond / peer.perSecond).toFixed(2);
  const figures = [ours, peer].flatMap(({ nodeMs, postgresMs, p50Ms }) => [
    nodeMs.toFixed(2),
    postgresMs.toFixed(2),
    p50Ms,
  ]);
  print([list, rows, against, ratio, target === undefined ? "" : `>= ${target}`, ...figures]);
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
