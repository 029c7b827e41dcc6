import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { type OpenServices, openServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { type LoadResult, measureInTurn, measure } from "./measure.ts";
import { type MeasuredProcess, startSubject } from "./processes.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const [FEW, MANY] = [1000, 100_000] as const;
/** Maximum duration of a request for a page deep in the list. */
const DEEP_MS = 50;

/** Common requests of identity providers with 1,000 and 100,000 users. The size should make no difference. */
export async function scimBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production" };
  const subjects: MeasuredProcess[] = [];
  try {
    const seeded = await seed(embedded.url, log);
    const settings = { ...environment, PORT: "0", RATE_LIMIT: "0", DEMO: "0" };
    const ours = await startSubject("Agent Ops", ["dist/src/main.js"], settings);
    const peer = await startSubject("SCIMMY", ["--import", "tsx", "bench/peers/scimmy.ts"], environment);
    subjects.push(ours, peer);
    const pid = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
    const postmaster = Number(readFileSync(pid, "utf8").split("\n")[0]);
    await compareSizes(ours, postmaster, seeded);
    await comparePeer({ ours, peer }, postmaster, seeded);
  } finally {
    for (const subject of subjects) await subject.stop();
    await embedded.stop();
  }
}

/** SCIM tokens of two workspaces, with few and many users. */
type Seeded = Record<"few" | "many", string>;

async function seed(databaseUrl: string, log: pino.Logger): Promise<Seeded> {
  const services = await openServices(readConfig({ DATABASE_URL: databaseUrl }), log);
  const seeded = { few: await seedUsers(services, FEW), many: await seedUsers(services, MANY) };
  for (const table of ['"user"', "user_email", "group_member"]) {
    await services.database.prisma.$executeRawUnsafe(`VACUUM ANALYZE ${table}`);
  }
  await services.close();
  return seeded;
}

/** Creates a workspace with users, one in ten of them in a group of a hundred. @returns its SCIM token. */
async function seedUsers(services: OpenServices, count: number): Promise<string> {
  const { workspaceId, scimToken } = await createWorkspace(services, { name: `${count} users` });
  for (const statement of [USERS, EMAILS, GROUPS, MEMBERS, TOTALS]) {
    await services.database.prisma.$executeRawUnsafe(statement, workspaceId, count);
  }
  return scimToken;
}

const USERS = `
INSERT INTO "user" (workspace_id, id, user_name, external_id, name, email, role, profile, created_at, updated_at)
SELECT $1::uuid, gen_random_uuid(), 'user' || n || '@example.com', 'ext-' || n, 'User ' || n, 'user' || n || '@example.com', 'viewer',
  jsonb_build_object('title', 'T' || n % 50, 'name', jsonb_build_object('givenName', 'G' || n, 'familyName', 'F' || n % 1000)),
  now() - ($2::int - n) * interval '1 second', now()
FROM generate_series(1, $2::int) n`;

const EMAILS = `
INSERT INTO user_email (workspace_id, user_id, place, value, type, "primary")
SELECT workspace_id, id, 0, email, 'work', true FROM "user" WHERE workspace_id = $1::uuid AND $2::int > 0`;

const GROUPS = `
INSERT INTO "group" (workspace_id, id, display_name)
SELECT $1::uuid, gen_random_uuid(), 'Group ' || n FROM generate_series(1, GREATEST($2::int / 1000, 1)) n`;

const MEMBERS = `
INSERT INTO group_member (workspace_id, group_id, user_id)
SELECT g.workspace_id, g.id, u.id
FROM (SELECT *, row_number() OVER (ORDER BY display_name) AS place FROM "group" WHERE workspace_id = $1::uuid) g
JOIN (SELECT id, row_number() OVER (ORDER BY created_at) AS place FROM "user" WHERE workspace_id = $1::uuid) u
  ON u.place % 10 = 0 AND (u.place - 1) / 1000 = g.place - 1 AND $2::int > 0`;

const TOTALS = `
INSERT INTO collection_total (workspace_id, collection, facet, total)
VALUES ($1::uuid, 'users', 'all', $2::int), ($1::uuid, 'groups', 'all', GREATEST($2::int / 1000, 1))`;

function buildFilterPath(filter: string): string {
  return `/scim/v2/Users?filter=${encodeURIComponent(filter)}`;
}

async function compareSizes(ours: MeasuredProcess, postmaster: number, { few, many }: Seeded): Promise<void> {
  print(["request", "100,000 to 1,000", "p50 ms, p99 ms of 1,000", "of 100,000", "PostgreSQL ms", "target"]);
  const asked: [string, (count: number) => string][] = [
    ["userName eq", (count) => buildFilterPath(`userName eq "USER${count / 2}@example.com"`)],
    ["externalId eq", (count) => buildFilterPath(`externalId eq "ext-${count / 2}"`)],
    [
      "emails.value eq",
      (count) => buildFilterPath(`emails[type eq "work"].value eq "user${count / 2}@example.com"`),
    ],
    ["first page of 100", () => "/scim/v2/Users?count=100"],
    ["first page of 100 by cursor", () => "/scim/v2/Users?count=100&cursor="],
  ];
  for (const [name, pathOf] of asked) {
    const runs = await measureInTurn(ROUNDS, {
      few: () => run(ours, { path: pathOf(FEW), token: few, postmaster }),
      many: () => run(ours, { path: pathOf(MANY), token: many, postmaster }),
    });
    printRatio(name, runs);
  }
  const deep: [string, string][] = [
    [`startIndex ${MANY - 99}, alone`, `/scim/v2/Users?startIndex=${MANY - 99}&count=100`],
    ["the 10th page of 200 by cursor, alone", await tenthPage(ours, many)],
  ];
  for (const [name, asked] of deep) {
    const milliseconds = await latencies(ours, asked, many);
    const [p50, p99] = [0.5, 0.99].map((part) =>
      milliseconds[Math.floor(milliseconds.length * part)]?.toFixed(1),
    );
    print([name, "", "", `${p50}, ${p99}`, "", `p50 < ${DEEP_MS} ms`]);
  }
}

/** SCIMMY over the same table. It does everything except the handler's query in memory. */
async function comparePeer(
  { ours, peer }: { ours: MeasuredProcess; peer: MeasuredProcess },
  postmaster: number,
  { few, many }: Seeded,
): Promise<void> {
  print(["request", "users", "ours to SCIMMY", "ours: p50 ms, p99 ms", "SCIMMY: p50 ms, p99 ms"]);
  const asked: [string, number, string, string][] = [
    ["userName eq", FEW, buildFilterPath(`userName eq "user${FEW / 2}@example.com"`), few],
    ["userName eq", MANY, buildFilterPath(`userName eq "user${MANY / 2}@example.com"`), many],
    ["20 of all", FEW, "/scim/v2/Users?count=20", few],
  ];
  for (const [name, users, path, token] of asked) {
    const runs = await measureInTurn(ROUNDS, {
      ours: () => run(ours, { path, token, postmaster }),
      peer: () => run(peer, { path, token, postmaster }),
    });
    const ratio = (runs.ours.perSecond / runs.peer.perSecond).toFixed(2);
    print([name, users, ratio, formatFigures(runs.ours), formatFigures(runs.peer)]);
  }
}

/** Durations of sequential single requests, sorted. */
async function latencies({ url }: MeasuredProcess, asked: string, token: string): Promise<number[]> {
  const measured: number[] = [];
  for (let n = 0; n < 60; n++) {
    const started = performance.now();
    const answer = await fetch(url + asked, { headers: { authorization: `Bearer ${token}` } });
    await answer.text();
    measured.push(performance.now() - started);
  }
  return measured.toSorted((a, b) => a - b);
}

type Asked = { path: string; token: string; postmaster: number };

function run(ours: MeasuredProcess, { path: asked, token, postmaster }: Asked): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${token}` };
  return measure(ours, { path: asked, headers }, { seconds: SECONDS, postmaster });
}

/** The URL of a page deep in the list. */
async function tenthPage(ours: MeasuredProcess, token: string): Promise<string> {
  let next = "";
  for (let page = 0; page < 9; page++) {
    const answer = await fetch(`${ours.url}/scim/v2/Users?count=200&cursor=${next}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    // Our own response.
    ({ nextCursor: next } = (await answer.json()) as { nextCursor: string });
  }
  return `/scim/v2/Users?count=200&cursor=${next}`;
}

function printRatio(name: string, { few, many }: { few: LoadResult; many: LoadResult }): void {
  const ratio = (many.perSecond / few.perSecond).toFixed(2);
  print([name, ratio, formatFigures(few), formatFigures(many), many.postgresMs.toFixed(2), ">= 0.8"]);
}

function formatFigures({ p50Ms, p99Ms }: LoadResult): string {
  return `${p50Ms}, ${p99Ms}`;
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
