import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import type { CollectionFixture } from "../collection-fixture.ts";
import { createNulls } from "../create-nulls.ts";
import { forgetTaskSums } from "../../domain/task-sums/forget-task-sums.ts";
import { insertRows } from "../insert-rows.ts";
import { type Random, createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { createWriter } from "../writer.ts";
import { planMission } from "./mission-plans.ts";
import { listTaskHistory, buildTaskHistory } from "./build-task-history.ts";
import type { TaskScenario } from "./task-scenario.ts";
import { taskCourse, withoutQuestion } from "./task-course.ts";
import { pickJob, findQuestion, buildOutcome } from "./build-outcome.ts";
import type { JobProfile } from "./job-profile.ts";
import { JOB_PROFILES } from "./job-profiles.ts";

export const TASKS = 3000;
/** How many of the newest tasks may be open. They are always from the last two hours. */
export const RECENT_TASKS = 100;
const RECENT_SECONDS = 7_200;
const DAY_SECONDS = 86_400;

const WEIGHTS = Object.fromEntries([...JOB_PROFILES.values()].map(({ queue, weight }) => [queue, weight]));

export const tasks: CollectionFixture<Task> = {
  collection: "tasks",
  table: "task",
  units: TASKS,
  buildRows: (world, unit) => [taskAt(world, unit).task],
  insert: async (tx, rows) => {
    await insertRows(tx, "task", rows);
    await forgetTaskSums(tx);
  },
  buildHistory: (world, unit) => buildTaskHistory(world, taskAt(world, unit), unit),
  getStatus: ({ status }) => status,
};

/** Builds a task by its number, counted from the oldest. */
export function taskAt(world: DemoWorld, index: number): TaskScenario {
  const retried = findRetried(world, index);
  const random = createRandom(`task ${index}`);
  const profile = pickProfile(retried ?? index);
  const createdAt = pickMoment(world, index);
  const planned = taskCourse(random, profile, {
    createdAt,
    end: world.end,
    recent: TASKS - index <= RECENT_TASKS,
  });
  const worker = world.agent(random.pick(profile.workers));
  const asker = pickAsker(world, random, profile);
  const seed = `task ${retried ?? index}`;
  const write = createWriter(
    seed,
    profile.queue === "fleet" ? { errand: planMission(seed, null).title } : {},
  );
  const course = findQuestion(profile, write) === null ? withoutQuestion(planned) : planned;
  const scenario = { profile, course, worker, asker, write, random };
  const task = buildRow(world, { ...scenario, index, retried, createdAt });
  const happened = listTaskHistory(world, { ...scenario, task }, index);
  const updatedAt = happened.at(-1)?.at ?? createdAt;
  return { ...scenario, task: { ...task, generation: happened.length, updatedAt } };
}

function buildRow(
  world: DemoWorld,
  scenario: Omit<TaskScenario, "task"> & {
    index: number;
    retried: number | null;
    createdAt: Date;
  },
): Task {
  const { index, retried, createdAt, profile, course, worker, asker, write, random } = scenario;
  const { status, startedAt, finishedAt, attempt } = course;
  const held = status === "working" || status === "input_required";
  const firstIndex = retried ?? index;
  const job = pickJob(profile, write);
  return {
    ...createNulls<Task>(TABLES.task),
    workspaceId: world.workspaceId,
    id: createTaskId(world, index),
    contextId: world.createId(`task context ${firstIndex}`, pickMoment(world, firstIndex)),
    title: write(job.title),
    queue: profile.queue,
    assigneeAgentId: random.chance(0.3) ? worker.id : null,
    input: [{ text: write(job.brief) }],
    priority: Number(random.weigh({ 2: 8, 4: 14, 5: 58, 7: 15, 9: 5 })),
    ...buildOutcome({ course, profile, write, random }),
    claimedByAgentId: startedAt === null ? null : worker.id,
    attempt,
    maxAttempts: 3,
    // A demo that is opened the next day should still have agents at work.
    leaseExpiresAt: held ? addSeconds(world.end, 3 * DAY_SECONDS) : null,
    runAfter: status === "submitted" && random.chance(0.4) ? addSeconds(world.end, DAY_SECONDS / 2) : null,
    cancelRequestedAt: status === "canceled" && startedAt !== null ? finishedAt : null,
    parentTaskId: retried === null ? null : createTaskId(world, retried),
    labels: { ...profile.labels },
    metadata: {},
    createdBy: asker,
    // Set once its whole history is known.
    generation: 1,
    createdAt,
    updatedAt: finishedAt ?? startedAt ?? createdAt,
    startedAt,
    finishedAt,
  };
}

/** A task may be a retry of one that failed shortly before and is not a retry itself. */
function findRetried(world: DemoWorld, index: number): number | null {
  if (!isRetry(index)) return null;
  for (let before = index - 1; before >= Math.max(0, index - 12); before--) {
    if (isRetry(before)) return null;
    if (hasFailed(world, before, pickMoment(world, index))) return before;
  }
  return null;
}

function isRetry(index: number): boolean {
  return createRandom(`retry ${index}`).chance(0.2);
}

function hasFailed(world: DemoWorld, index: number, by: Date): boolean {
  const scenario = {
    createdAt: pickMoment(world, index),
    end: world.end,
    recent: TASKS - index <= RECENT_TASKS,
  };
  const { status, finishedAt } = taskCourse(createRandom(`task ${index}`), pickProfile(index), scenario);
  return status === "failed" && finishedAt !== null && finishedAt < by;
}

function pickProfile(index: number): JobProfile {
  const queue = createRandom(`trade ${index}`).weigh(WEIGHTS);
  const profile = JOB_PROFILES.get(queue);
  if (profile === undefined) throw new Error(`the demo has no queue ${queue}`);
  return profile;
}

function pickMoment(world: DemoWorld, index: number): Date {
  const share = createRandom(`moment ${index}`).next();
  const recent = index - (TASKS - RECENT_TASKS);
  if (recent < 0) return world.getMoment((index + share) / (TASKS - RECENT_TASKS));
  return addSeconds(world.end, RECENT_SECONDS * ((recent + share) / RECENT_TASKS - 1));
}

function createTaskId(world: DemoWorld, index: number): string {
  return world.createId(`task ${index}`, pickMoment(world, index));
}

function pickAsker(world: DemoWorld, random: Random, { askers }: JobProfile): ActorRecord {
  if (random.chance(0.65)) return world.agent(random.pick(askers));
  return world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email);
}
