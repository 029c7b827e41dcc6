import type { Message } from "../../../db/generated/client.ts";
import { createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { earlier, momentBetween, secondsAfter } from "../times.ts";
import type { World } from "../world.ts";
import { doingOf, failureOf, fitting, questionOf, resultOf } from "./task-outcome.ts";
import type { TaskStory } from "./task-story.ts";
import { type Said, threadRows } from "./thread.ts";

const OPENINGS = [
  "This one is for you. Tell me if anything is missing.",
  "Please have a look before noon if you can.",
  "Same as last time, the files are in the task.",
  "No hurry, but {customer} is waiting.",
  "Handing over: I can't decide this one.",
];
const CLOSINGS = ["Done. ", "Finished: ", "Here you are: ", "That's it. ", ""];

/** The messages about a task, as far as it has come. */
export function taskThreadOf(world: World, index: number, story: TaskStory): Message[] {
  const { task } = story;
  const said = [...opening(world, story, index), ...middle(world, story, index), ...closing(story, index)];
  return threadRows(
    world,
    { name: `task message ${index}`, contextId: task.contextId, taskId: task.id },
    said,
  );
}

function opening(world: World, { task, trade, asker, worker, write }: TaskStory, index: number): Said[] {
  const random = createRandom(`opening ${index}`);
  if (!random.chance(0.2)) return [];
  const at = earlier(secondsAfter(task.createdAt, random.between(0.5, 1)), world.end);
  return [
    { at, by: asker, to: worker.id, kind: "text", text: write(random.pick(fitting(OPENINGS, trade, write))) },
  ];
}

function middle(world: World, { task, course, trade, worker, write }: TaskStory, index: number): Said[] {
  const random = createRandom(`middle ${index}`);
  const { startedAt, finishedAt } = course;
  if (startedAt === null) return [];
  const begun = startedAt;
  function at(share: number): Date {
    return momentBetween(begun, finishedAt ?? world.end, share);
  }
  const notice = random.chance(0.22)
    ? [
        {
          at: at(0.15),
          by: worker,
          to: null,
          kind: "notice" as const,
          text: write(random.pick(doingOf(trade, write))),
        },
      ]
    : [];
  const asking = questionOf(trade, write);
  if (!course.asked || asking === null) return notice;
  const { question, answer } = asking;
  const asked = { at: at(0.3), by: worker, to: null, kind: "question" as const, text: write(question) };
  if (task.status === "input_required") return [...notice, asked];
  const person = world.person(random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email);
  const answered = { at: at(0.8), by: person, to: worker.id, kind: "answer" as const, text: write(answer) };
  return [...notice, asked, answered];
}

function closing({ task, course, trade, worker, write }: TaskStory, index: number): Said[] {
  const random = createRandom(`closing ${index}`);
  const { finishedAt, status } = course;
  if (finishedAt === null) return [];
  if (status === "failed") {
    const text = `I could not do it: ${failureOf(trade, write).message}`;
    return [{ at: finishedAt, by: worker, to: null, kind: "notice", text }];
  }
  if (task.status !== "completed" || !random.chance(0.3)) return [];
  const text = random.pick(CLOSINGS) + resultOf(trade, write);
  return [{ at: finishedAt, by: worker, to: null, kind: "text", text }];
}
