import type { Message } from "../../db/generated/client.ts";
import { createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { minDate, pickMomentBetween, addSeconds } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { listActivities, pickFailure, filterFitting, findQuestion, writeResult } from "./build-outcome.ts";
import type { TaskScenario } from "./task-scenario.ts";
import { type Said, threadRows } from "./thread.ts";

const OPENINGS = [
  "This one is for you. Tell me if anything is missing.",
  "Please have a look before noon if you can.",
  "Same as last time, the files are in the task.",
  "No hurry, but {customer} is waiting.",
  "Handing over: I can't decide this one.",
];
const CLOSINGS = ["Done. ", "Finished: ", "Here you are: ", "That's it. ", ""];

/** Builds the messages about a task, up to its progress. */
export function buildTaskThread(world: DemoWorld, index: number, scenario: TaskScenario): Message[] {
  const { task } = scenario;
  const said = [
    ...buildOpening(world, scenario, index),
    ...buildMiddle(world, scenario, index),
    ...buildClosing(scenario, index),
  ];
  return threadRows(
    world,
    {
      name: `task message ${index}`,
      contextId: task.contextId,
      taskId: task.id,
      asks: task.status === "input_required",
    },
    said,
  );
}

function buildOpening(
  world: DemoWorld,
  { task, profile, asker, worker, write }: TaskScenario,
  index: number,
): Said[] {
  const random = createRandom(`opening ${index}`);
  if (!random.chance(0.2)) return [];
  const at = minDate(addSeconds(task.createdAt, random.between(0.5, 1)), world.end);
  return [
    {
      at,
      by: asker,
      to: worker.id,
      kind: "text",
      text: write(random.pick(filterFitting(OPENINGS, profile, write))),
    },
  ];
}

function buildMiddle(
  world: DemoWorld,
  { task, course, profile, worker, write }: TaskScenario,
  index: number,
): Said[] {
  const random = createRandom(`middle ${index}`);
  const { startedAt, finishedAt } = course;
  if (startedAt === null) return [];
  const begun = startedAt;
  function at(share: number): Date {
    return pickMomentBetween(begun, finishedAt ?? world.end, share);
  }
  const notice = random.chance(0.22)
    ? [
        {
          at: at(0.15),
          by: worker,
          to: null,
          kind: "notice" as const,
          text: write(random.pick(listActivities(profile, write))),
        },
      ]
    : [];
  const asking = findQuestion(profile, write);
  if (!course.asked || asking === null) return notice;
  const { question, answer } = asking;
  const asked = { at: at(0.3), by: worker, to: null, kind: "question" as const, text: write(question) };
  if (task.status === "input_required") return [...notice, asked];
  const person = world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email);
  const answered = { at: at(0.8), by: person, to: worker.id, kind: "answer" as const, text: write(answer) };
  return [...notice, asked, answered];
}

function buildClosing({ task, course, profile, worker, write }: TaskScenario, index: number): Said[] {
  const random = createRandom(`closing ${index}`);
  const { finishedAt, status } = course;
  if (finishedAt === null) return [];
  if (status === "failed") {
    const text = `I could not do it: ${pickFailure(profile, write).message}`;
    return [{ at: finishedAt, by: worker, to: null, kind: "notice", text }];
  }
  if (task.status !== "completed" || !random.chance(0.3)) return [];
  const text = random.pick(CLOSINGS) + writeResult(profile, write);
  return [{ at: finishedAt, by: worker, to: null, kind: "text", text }];
}
