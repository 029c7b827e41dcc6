import type { Task } from "../../../db/generated/client.ts";
import type { ActorRecord } from "../../../domain/actor.ts";
import type { Chapter } from "../chapter.ts";
import { insertRows } from "../insert-rows.ts";
import { type Random, createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { secondsAfter } from "../times.ts";
import type { World } from "../world.ts";
import { createWriter } from "../writer.ts";
import { errandOf } from "./errands.ts";
import { happeningsTo, taskHistory } from "./task-history.ts";
import type { TaskStory } from "./task-story.ts";
import { taskCourse, withoutQuestion } from "./task-course.ts";
import { jobOf, questionOf, taskOutcome } from "./task-outcome.ts";
import type { Trade } from "./trade.ts";
import { TRADES } from "./trades.ts";

/** How many tasks the demo tells. */
export const TASKS = 3000;
/** How many of the newest may be open. Whatever the hour, they are of the last two hours. */
export const RECENT_TASKS = 100;
const RECENT_SECONDS = 7_200;
const DAY_SECONDS = 86_400;

const WEIGHTS = Object.fromEntries([...TRADES.values()].map(({ queue, weight }) => [queue, weight]));

/** The tasks. */
export const tasks: Chapter<Task> = {
  collection: "tasks",
  table: "task",
  units: TASKS,
  rowsOf: (world, unit) => [taskAt(world, unit).task],
  insert: (tx, rows) => insertRows(tx, "task", rows),
  historyOf: (world, unit) => taskHistory(world, taskAt(world, unit), unit),
  statusOf: ({ status }) => status,
};

/** The task of this number, counted from the oldest. */
export function taskAt(world: World, index: number): TaskStory {
  const retried = retriedBy(world, index);
  const random = createRandom(`task ${index}`);
  const trade = tradeOf(retried ?? index);
  const createdAt = momentOf(world, index);
  const told = taskCourse(random, trade, {
    createdAt,
    end: world.end,
    recent: TASKS - index <= RECENT_TASKS,
  });
  const worker = world.agent(random.pick(trade.workers));
  const asker = askerOf(world, random, trade);
  const seed = `task ${retried ?? index}`;
  const write = createWriter(seed, trade.queue === "fleet" ? { errand: errandOf(seed, null).title } : {});
  const course = questionOf(trade, write) === null ? withoutQuestion(told) : told;
  const story = { trade, course, worker, asker, write, random };
  const task = rowOf(world, { ...story, index, retried, createdAt });
  const happened = happeningsTo(world, { ...story, task }, index);
  const updatedAt = happened.at(-1)?.at ?? createdAt;
  return { ...story, task: { ...task, generation: happened.length, updatedAt } };
}

function rowOf(
  world: World,
  story: Omit<TaskStory, "task"> & {
    index: number;
    retried: number | null;
    createdAt: Date;
  },
): Task {
  const { index, retried, createdAt, trade, course, worker, asker, write, random } = story;
  const { status, startedAt, finishedAt, attempt } = course;
  const held = status === "working" || status === "input_required";
  const firstIndex = retried ?? index;
  const job = jobOf(trade, write);
  return {
    workspaceId: world.workspaceId,
    id: idOf(world, index),
    contextId: world.idOf(`task context ${firstIndex}`, momentOf(world, firstIndex)),
    title: write(job.title),
    queue: trade.queue,
    assigneeAgentId: random.chance(0.3) ? worker.id : null,
    input: [{ text: write(job.brief) }],
    priority: Number(random.weigh({ 2: 8, 4: 14, 5: 58, 7: 15, 9: 5 })),
    ...taskOutcome({ course, trade, write, random }),
    claimedByAgentId: startedAt === null ? null : worker.id,
    attempt,
    maxAttempts: 3,
    leaseTokenDigest: null,
    leaseSeconds: null,
    settledDigest: null,
    // A demo that is looked at tomorrow should still have somebody at work.
    leaseExpiresAt: held ? secondsAfter(world.end, 3 * DAY_SECONDS) : null,
    runAfter: status === "submitted" && random.chance(0.4) ? secondsAfter(world.end, DAY_SECONDS / 2) : null,
    deadlineAt: null,
    inputDeadlineAt: null,
    // Set with its messages.
    questionId: null,
    cancelRequestedAt: status === "canceled" && startedAt !== null ? finishedAt : null,
    parentTaskId: retried === null ? null : idOf(world, retried),
    missionId: null,
    traceId: null,
    labels: { ...trade.labels },
    metadata: {},
    createdBy: asker,
    // Counted by what happened to it, once the whole of it is known.
    generation: 1,
    createdAt,
    updatedAt: finishedAt ?? startedAt ?? createdAt,
    startedAt,
    finishedAt,
  };
}

/** A task may be another try of one that failed shortly before; that one is no retry itself. */
function retriedBy(world: World, index: number): number | null {
  if (!isRetry(index)) return null;
  for (let before = index - 1; before >= Math.max(0, index - 12); before--) {
    if (isRetry(before)) return null;
    if (hasFailed(world, before, momentOf(world, index))) return before;
  }
  return null;
}

function isRetry(index: number): boolean {
  return createRandom(`retry ${index}`).chance(0.2);
}

function hasFailed(world: World, index: number, by: Date): boolean {
  const story = { createdAt: momentOf(world, index), end: world.end, recent: TASKS - index <= RECENT_TASKS };
  const { status, finishedAt } = taskCourse(createRandom(`task ${index}`), tradeOf(index), story);
  return status === "failed" && finishedAt !== null && finishedAt < by;
}

function tradeOf(index: number): Trade {
  const queue = createRandom(`trade ${index}`).weigh(WEIGHTS);
  const trade = TRADES.get(queue);
  if (trade === undefined) throw new Error(`there is no trade ${queue}`);
  return trade;
}

function momentOf(world: World, index: number): Date {
  const share = createRandom(`moment ${index}`).next();
  const recent = index - (TASKS - RECENT_TASKS);
  if (recent < 0) return world.momentOf((index + share) / (TASKS - RECENT_TASKS));
  return secondsAfter(world.end, RECENT_SECONDS * ((recent + share) / RECENT_TASKS - 1));
}

function idOf(world: World, index: number): string {
  return world.idOf(`task ${index}`, momentOf(world, index));
}

function askerOf(world: World, random: Random, { askers }: Trade): ActorRecord {
  if (random.chance(0.65)) return world.agent(random.pick(askers));
  return world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email);
}
