import { readFileSync } from "node:fs";
import path from "node:path";
import autocannon from "autocannon";
import type pg from "pg";
import { pino } from "pino";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../src/config/config.ts";
import { startTemporary } from "../src/db/embedded-temporary.ts";
import { foldTaskSums } from "../src/domain/task-sums/fold-task-sums.ts";
import { type OpenServices, openServices } from "../src/services.ts";
import { type LoadResult, type Request, measure, measureInTurn } from "./measure.ts";
import { type MeasuredProcess, cpuMs, postgresCpuMs, startSubject } from "./processes.ts";
import { type TaskWorkspace, connectToFill, fillTasks, vacuum } from "./scale-seed.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** The tasks of the largest workspace. */
const MOST = Number(process.env["BENCH_TASKS"] ?? 10_000_000);
/** The tasks of the workspaces that are compared, and of each of the others. */
const SIZES = [...[1000, 100_000, 1_000_000].filter((size) => size < MOST), MOST];
const [OTHERS, OTHER_TASKS] = [1000, 1000];
/** How many workspaces are written at once. */
const WRITTEN = 100;
const WRITERS = 16;

/**
 * What each main request takes by the tasks of its workspace, in a database of a thousand workspaces, and how many tasks
 * a second one workspace and a hundred take in.
 */
export async function scaleBench(): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = await startTemporary(log);
  const environment = { DATABASE_URL: embedded.url, NODE_ENV: "production", DEMO: "0" };
  const lockFile = path.join(embedded.directory, "cluster", "data", "postmaster.pid");
  const postmaster = Number(readFileSync(lockFile, "utf8").split("\n")[0]);
  try {
    const services = await openServices(readConfig({ DATABASE_URL: embedded.url }), log);
    const client = await connectToFill(embedded.url);
    const { sized, others } = await fill(services, client);
    process.stderr.write(`${await vacuum(client)} tasks in all\n`);
    await client.end();
    while ((await foldTaskSums(services)) > 0);
    await services.close();
    const command = ["dist/src/main.js"];
    const server = await startSubject("Agent Ops", command, { ...environment, PORT: "0", RATE_LIMIT: "0" });
    try {
      await untilWarm(server, sized);
      await compareSizes(server, postmaster, sized);
      await compareWrites(server, postmaster, { one: sized.slice(-1), many: others.slice(0, WRITTEN) });
    } finally {
      await server.stop();
    }
  } finally {
    await embedded.stop();
  }
}

type Filled = { sized: TaskWorkspace[]; others: TaskWorkspace[] };

async function fill(services: OpenServices, client: pg.Client): Promise<Filled> {
  const [sized, others]: [TaskWorkspace[], TaskWorkspace[]] = [[], []];
  async function add(list: TaskWorkspace[], tasks: number): Promise<void> {
    const made = await createWorkspace(services, { name: `${tasks} tasks`, policies: [] });
    list.push(await fillTasks(client, made, tasks));
  }
  for (let made = 0; made < OTHERS; made += 1) await add(others, OTHER_TASKS);
  for (const tasks of SIZES) {
    await add(sized, tasks);
    process.stderr.write(`${tasks} tasks are there\n`);
  }
  return { sized, others };
}

/** Asks each workspace once. Prints how long that took: a server that starts looks after all workspaces at once. */
async function untilWarm(server: MeasuredProcess, sized: readonly TaskWorkspace[]): Promise<void> {
  const startedMs = performance.now();
  for (const { apiKey } of sized) {
    const answer = await fetch(`${server.url}/api/v1/tasks`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if (!answer.ok) throw new Error(`the first page was refused with ${answer.status}`);
  }
  process.stderr.write(`the first answers took ${(performance.now() - startedMs).toFixed(0)} ms\n`);
}

/** What is asked of each workspace, by name. */
function listRequests({ apiKey, taskId }: TaskWorkspace): Record<string, Request> {
  const headers = { authorization: `Bearer ${apiKey}` };
  function ask(query: string): Request {
    return { path: "/graphql", headers, body: { query } };
  }
  return {
    "first page": { path: "/api/v1/tasks", headers },
    "page of a status": { path: "/api/v1/tasks?status=completed", headers },
    "page at 1,000": { path: "/api/v1/tasks?offset=900", headers },
    "one task": { path: `/api/v1/tasks/${taskId}`, headers },
    "page by label": ask(
      '{ tasks(first: 20, filter: { labels: { team: "billing" } }) { nodes { uuid title } } }',
    ),
    "page by a frequent word": ask(
      '{ tasks(first: 20, filter: { search: "order" }) { nodes { uuid title } } }',
    ),
    "page by a rare word": ask('{ tasks(first: 20, filter: { search: "7" }) { nodes { uuid title } } }'),
    overview: ask(
      "{ overview(window: LAST_WEEK) { tasks { byStatus { submitted } ended { completed failed } } } }",
    ),
    "chart of a week": ask(
      `{ timeseries(metric: TASKS_CREATED, from: "${toStep(-56)}", to: "${toStep(0)}", step: ${STEP_SECONDS}) { values } }`,
    ),
  };
}

/** The steps of the dashboard's week. */
const STEP_SECONDS = 10_800;

/** The end of the current step, or of one before it, as the dashboard asks. */
function toStep(steps: number): string {
  const stepMs = STEP_SECONDS * 1000;
  return new Date((Math.ceil(Date.now() / stepMs) + steps) * stepMs).toISOString();
}

async function compareSizes(
  server: MeasuredProcess,
  postmaster: number,
  sized: readonly TaskWorkspace[],
): Promise<void> {
  print(["request", "tasks", "p50 ms", `p50 against ${SIZES[0]}`, "Node ms", "PostgreSQL ms"]);
  for (const name of Object.keys(listRequests(sized[0] ?? NOBODY))) {
    const runs = await measureInTurn(
      ROUNDS,
      Object.fromEntries(
        sized.map((workspace) => [
          workspace.tasks,
          () => measureOne(server, postmaster, listRequests(workspace)[name] ?? { path: "/", headers: {} }),
        ]),
      ),
    );
    const least = runs[SIZES[0] ?? 0]?.p50Ms ?? 1;
    for (const [tasks, { p50Ms, nodeMs, postgresMs }] of Object.entries(runs)) {
      const ratio = (p50Ms / Math.max(least, 1)).toFixed(2);
      print([name, tasks, p50Ms, ratio, nodeMs.toFixed(2), postgresMs.toFixed(2)]);
    }
  }
}

const NOBODY: TaskWorkspace = { tasks: 0, apiKey: "", taskId: "" };

/** What is too slow to be answered meanwhile is told, and does not end the bench. */
async function measureOne(
  server: MeasuredProcess,
  postmaster: number,
  request: Request,
): Promise<LoadResult> {
  try {
    return await measure(server, request, { seconds: SECONDS, postmaster });
  } catch (error) {
    process.stderr.write(`${String(error)} within ${SECONDS} s\n`);
    return { perSecond: 0, p50Ms: Infinity, p99Ms: Infinity, nodeMs: NaN, postgresMs: NaN };
  }
}

type Written = Record<"one" | "many", readonly TaskWorkspace[]>;

async function compareWrites(server: MeasuredProcess, postmaster: number, written: Written): Promise<void> {
  print(["workspaces written", "tasks a second", "p50 ms", "p99 ms", "Node ms", "PostgreSQL ms"]);
  const runs = await measureInTurn(ROUNDS, {
    one: () => write(server, postmaster, written.one),
    many: () => write(server, postmaster, written.many),
  });
  for (const [name, run] of Object.entries(runs)) {
    const count = name === "one" ? 1 : written.many.length;
    const { perSecond, p50Ms, p99Ms, nodeMs, postgresMs } = run;
    print([count, perSecond.toFixed(0), p50Ms, p99Ms, nodeMs.toFixed(2), postgresMs.toFixed(2)]);
  }
}

/** Creates tasks of workspaces in turn as fast as some writers can. */
async function write(server: MeasuredProcess, postmaster: number, workspaces: readonly TaskWorkspace[]) {
  const before = { node: cpuMs(server.pid), postgres: postgresCpuMs(postmaster) };
  const result = await autocannon({
    url: `${server.url}/api/v1/tasks`,
    connections: WRITERS,
    duration: SECONDS,
    requests: workspaces.map(({ apiKey }) => ({
      method: "POST" as const,
      path: "/api/v1/tasks",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "Refund order 1", queue: "billing" }),
    })),
  });
  const made = result["2xx"];
  if (made === 0 || result.non2xx > 0) throw new Error(`${result.non2xx} tasks were refused`);
  return {
    perSecond: made / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    nodeMs: (cpuMs(server.pid) - before.node) / made,
    postgresMs: (postgresCpuMs(postmaster) - before.postgres) / made,
  };
}

function print(cells: (string | number)[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
