import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { measureInTurn, measure } from "./measure.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const ROBOTS = 2000;
const MISSIONS = 10_000;

/** The lists of robots and missions compared with Fastify and pg, and the statements each response takes. */
export async function robotsBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const subjects: MeasuredProcess[] = [];
  try {
    const apiKey = await seed(embedded.url, log);
    const ours = { ...environment, PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
    subjects.push(await startSubject("Agent Ops", ["dist/src/main.js"], ours));
    subjects.push(
      await startSubject("Fastify + pg", ["--import", "tsx", "bench/peers/fastify-fleet.ts"], environment),
    );
    const postmaster = Number(
      readFileSync(path.join(embedded.directory, "cluster", "data", "postmaster.pid"), "utf8").split("\n")[0],
    );
    await compare(subjects, { apiKey, postmaster });
  } finally {
    for (const subject of subjects) await subject.stop();
    await embedded.stop();
  }
}

/** Inserts robots with their state, and missions with their history. @returns the workspace's key. */
async function seed(databaseUrl: string, log: pino.Logger): Promise<string> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), log);
  const { workspaceId, apiKey } = await createWorkspace(services, { name: "A fleet" });
  const { prisma } = services.database;
  for (const statement of [AGENTS, ROBOT_ROWS, MISSION_ROWS])
    await prisma.$executeRawUnsafe(statement, workspaceId);
  await prisma.$executeRawUnsafe(TOTALS, workspaceId);
  for (const table of ["agent", "robot", "mission"])
    await prisma.$executeRawUnsafe(`VACUUM ANALYZE ${table}`);
  await services.close();
  return apiKey;
}

async function compare(
  [ours, peer]: MeasuredProcess[],
  { apiKey, postmaster }: { apiKey: string; postmaster: number },
): Promise<void> {
  if (ours === undefined || peer === undefined) throw new Error("nothing to compare");
  const headers = { authorization: `Bearer ${apiKey}` };
  print([
    "list",
    "rows",
    "ratio",
    "target",
    "ours: Node ms",
    "PostgreSQL ms",
    "p50 ms",
    "peer: Node ms",
    "PostgreSQL ms",
    "p50 ms",
  ]);
  for (const [list, rows] of [
    ["robots", ROBOTS],
    ["missions", MISSIONS],
  ] as const) {
    const request = { path: `/api/v1/operator/${list}`, headers };
    await expectSame([ours, peer], request, { list, rows });
    const runs = await measureInTurn(ROUNDS, {
      ours: () => measure(ours, request, { seconds: SECONDS, postmaster }),
      peer: () => measure(peer, request, { seconds: SECONDS, postmaster }),
    });
    const figures = [runs.ours, runs.peer].flatMap(({ nodeMs, postgresMs, p50Ms }) => [
      nodeMs.toFixed(2),
      postgresMs.toFixed(2),
      p50Ms,
    ]);
    print([list, rows, (runs.ours.perSecond / runs.peer.perSecond).toFixed(2), ">= 0.6", ...figures]);
  }
}

/** Both must return all rows with the same fields. */
async function expectSame(
  subjects: MeasuredProcess[],
  request: { path: string; headers: Record<string, string> },
  { list, rows }: { list: string; rows: number },
): Promise<void> {
  const shapes = new Set<string>();
  for (const subject of subjects) {
    const answer = await fetch(subject.url + request.path, { headers: request.headers });
    // Both are ours: an object with one list.
    const body = (await answer.json()) as Record<string, object[]>;
    const found = body[list] ?? [];
    if (found.length !== rows) throw new Error(`${subject.name} shows ${found.length} of ${rows} ${list}`);
    shapes.add(
      Object.keys(found[0] ?? {})
        .toSorted()
        .join(" "),
    );
  }
  if (shapes.size > 1) throw new Error(`${list} differ: ${[...shapes].join(" | ")}`);
}

const BY = `'{"id": "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44", "name": "Dispatch", "type": "user"}'`;
const AGE = "now() - n * interval '1 second'";

const AGENTS = `
INSERT INTO agent (workspace_id, id, handle, name, kind, created_at, updated_at)
SELECT $1::uuid, gen_random_uuid(), 'amr-' || n, 'Hauler ' || n, 'robot', ${AGE}, ${AGE}
FROM generate_series(1, ${ROBOTS}) n`;

const ROBOT_ROWS = `
INSERT INTO robot (workspace_id, id, manufacturer, model, serial_number, fleet, operating_mode, status, battery_percent,
  position, velocity, driving, errors, loads, state_seq, state_at, created_at, updated_at)
SELECT $1::uuid, id, 'Carrow Robotics', 'Hauler 250', 'CR-H250-' || handle, 'hall-a', 'automatic', 'executing', 71.5,
  '{"x": 3.2, "y": -1.1, "theta": 1.57, "map_id": "floor-1", "localized": true}', '{"vx": 1.2, "vy": 0, "omega": 0.05}',
  true, '[{"type": "LOW_BATTERY", "level": "urgent", "hint": "Return to dock"}]',
  '[{"load_id": "T-48213", "load_type": "tote", "weight": 11.4}]', 1042, now() + interval '1 day', created_at, updated_at
FROM agent WHERE workspace_id = $1::uuid AND kind = 'robot'`;

const MISSION_ROWS = `
INSERT INTO mission (workspace_id, id, title, kind, status, progress, created_by, created_at, updated_at, started_at, finished_at)
SELECT $1::uuid, gen_random_uuid(), 'Bring pallet ' || n, 'transport', 'completed', 1, ${BY}, ${AGE}, ${AGE}, ${AGE}, ${AGE}
FROM generate_series(1, ${MISSIONS}) n`;

const TOTALS = `
INSERT INTO collection_total (workspace_id, collection, facet, total, version)
SELECT $1::uuid, c.collection, c.facet, c.total, 1
FROM (VALUES ('robots', 'all', ${ROBOTS}), ('missions', 'all', ${MISSIONS}), ('missions', 'completed', ${MISSIONS}))
  AS c(collection, facet, total)`;

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
