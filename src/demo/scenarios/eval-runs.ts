import type { EvalResult, EvalRun } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { CollectionFixture } from "../collection-fixture.ts";
import { type HistoryEntry, type PastEvent, toEvents } from "../history.ts";
import { insertRows } from "../insert-rows.ts";
import { type Random, createRandom } from "../random.ts";
import { OPERATOR } from "../roster/people.ts";
import { SOFTWARE_AGENTS } from "../roster/software-agents.ts";
import { minDate, addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { createWriter } from "../writer.ts";
import { countResults, buildResults, summarizeScores, getVerdict } from "./eval-results.ts";
import { SUITES, type Suite } from "./suites.ts";

export const EVAL_RUNS = 150;
/** A run with its results. */
export type EvalRunScenario = EvalRun & { results: EvalResult[] };

/** The statuses of the newest runs, newest first. */
const OPEN: readonly EvalRun["status"][] = ["queued", "running", "running"];
const OPEN_EVERY_SECONDS = 150;
const CLOSED = { completed: 93, failed: 4, canceled: 3 } as const;

export const evalRuns: CollectionFixture<EvalRunScenario> = {
  collection: "eval_runs",
  table: "eval_run",
  units: EVAL_RUNS,
  buildRows: (world, unit) => [evalRunAt(world, unit)],
  insert: insertEvalRuns,
  buildHistory: (world, unit) => buildRunHistory(evalRunAt(world, unit)),
  getStatus: ({ status }) => status,
};

function buildRunHistory({ id, agentId, ...run }: EvalRunScenario): PastEvent[] {
  // The demo's runs are created by its agents and people.
  const by = run.createdBy as ActorRecord;
  const subject = { subjectType: "eval_run", subjectId: id, agentId };
  const happened: HistoryEntry[] = [
    { type: "eval_run.created", at: run.createdAt, by, data: { status: "queued" } },
    ...run.results.map(({ createdAt: at }) => ({
      type: "eval_run.updated",
      at,
      by,
      data: { status: "running" },
    })),
  ];
  if (run.finishedAt !== null) {
    const data = { status: run.status, verdict: run.verdict };
    happened.push({ type: `eval_run.${run.status}`, at: run.finishedAt, by, data });
  }
  return toEvents(
    subject,
    happened.map((one) => ({ ...one, data: { suite: run.suite, ...one.data } })),
  );
}

function evalRunAt(world: DemoWorld, index: number): EvalRunScenario {
  const random = createRandom(`eval run ${index}`);
  const suite = suiteAt(index);
  const isBaseline = index < SUITES.length;
  const status = isBaseline ? "completed" : (OPEN[EVAL_RUNS - 1 - index] ?? random.weigh(CLOSED));
  const createdAt = pickMoment(world, index);
  const id = world.createId(`eval run ${index}`, createdAt);
  const course = buildCourse({ world, random, status, createdAt });
  const judged = buildResults({ world, random, status, suite, evalRunId: id, ...course });
  const { verdict, reasons } = getVerdict(status, suite, judged);
  const cost = judged.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return {
    workspaceId: world.workspaceId,
    id,
    suite: suite.name,
    name: `${suite.title} ${isBaseline ? "baseline" : pickName(random, index)}`,
    agentId: world.agent(suite.agent).id,
    agentVersion: pickVersion(suite, index),
    dataset: { name: suite.name, version: index < EVAL_RUNS / 2 ? "2026.1" : "2026.2" },
    status,
    resultCounts: countResults(judged),
    scoreSummaries: summarizeScores(suite, judged),
    baselineRunId: isBaseline ? null : baselineId(world, index),
    gate: { min_pass_rate: suite.minPassRate },
    verdict,
    verdictReasons: reasons,
    error: null,
    baseline: isBaseline,
    source: buildSource(random, index),
    costUsd: judged.length === 0 ? null : Number(cost.toFixed(4)),
    metadata: {},
    createdBy: random.chance(0.7) ? world.agent("primary") : world.person(OPERATOR.email),
    generation: 1 + judged.length + (course.finishedAt === null ? 0 : 1),
    createdAt,
    updatedAt: course.finishedAt ?? course.startedAt ?? createdAt,
    ...course,
    results: judged,
  };
}

function buildCourse(scenario: {
  world: DemoWorld;
  random: Random;
  status: EvalRun["status"];
  createdAt: Date;
}): Pick<EvalRun, "startedAt" | "finishedAt"> {
  const { world, random, status, createdAt } = scenario;
  if (status === "queued") return { startedAt: null, finishedAt: null };
  const startedAt = minDate(addSeconds(createdAt, random.between(2, 40)), world.end);
  if (status === "running") return { startedAt, finishedAt: null };
  return { startedAt, finishedAt: minDate(addSeconds(startedAt, random.between(60, 900)), world.end) };
}

function suiteAt(index: number): Suite {
  const place = index < SUITES.length ? index : createRandom(`suite ${index}`).whole(0, SUITES.length - 1);
  const suite = SUITES[place];
  if (suite === undefined) throw new Error(`there is no suite ${place}`);
  return suite;
}

/** The first run of each suite is its baseline. */
function baselineId(world: DemoWorld, index: number): string {
  const first = SUITES.indexOf(suiteAt(index));
  return world.createId(`eval run ${first}`, pickMoment(world, first));
}

/** Open runs are always from the last minutes. */
function pickMoment(world: DemoWorld, index: number): Date {
  const share = createRandom(`eval moment ${index}`).next();
  const fromEnd = EVAL_RUNS - 1 - index;
  if (fromEnd < OPEN.length) return addSeconds(world.end, -OPEN_EVERY_SECONDS * (fromEnd + share));
  return world.getMoment((index + share) / EVAL_RUNS);
}

function pickName(random: Random, index: number): string {
  const write = createWriter(`eval run ${index}`);
  return write(
    random.pick(["nightly", "nightly", "on {branch}", "before the release", "with the new prompt"]),
  );
}

function pickVersion({ agent }: Suite, index: number): string | null {
  const version = SOFTWARE_AGENTS.find(({ handle }) => handle === agent)?.version;
  if (version === undefined || index > EVAL_RUNS * 0.6) return version ?? null;
  return version.replace(/(?<!\d)\d+$/, (patch) => String(Math.max(0, Number(patch) - 1)));
}

function buildSource(random: Random, index: number): object {
  const commit = Array.from({ length: 10 }, () => random.whole(0, 15).toString(16)).join("");
  return { commit, branch: random.chance(0.7) ? "main" : createWriter(`eval run ${index}`)("{branch}") };
}

async function insertEvalRuns(tx: Transaction, scenarios: EvalRunScenario[]): Promise<void> {
  const runs = scenarios.map(({ results: _results, ...run }) => run);
  await insertRows(tx, "eval_run", runs);
  const results = scenarios.flatMap(({ results }) => results);
  await insertRows(tx, "eval_result", results);
}
