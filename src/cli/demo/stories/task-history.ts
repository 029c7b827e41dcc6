import { type Happening, type PastEvent, SERVICE, eventsOf } from "../history.ts";
import { momentBetween } from "../times.ts";
import type { World } from "../world.ts";
import { taskThreadOf } from "./task-thread.ts";
import type { TaskStory } from "./task-story.ts";

/** When a first attempt is given up and the second begins, as shares of the time until its end. */
const LOST = { expired: 0.04, again: 0.06 };

/** What happened to a task, as its events tell. */
export function taskHistory(world: World, story: TaskStory, index: number): PastEvent[] {
  const { id, claimedByAgentId, assigneeAgentId } = story.task;
  const subject = { subjectType: "task", subjectId: id, agentId: claimedByAgentId ?? assigneeAgentId };
  return eventsOf(subject, happeningsTo(world, story, index));
}

/** What happened to a task, in the order of time; its creation is the first. */
export function happeningsTo(world: World, story: TaskStory, index: number): Happening[] {
  const { task, asker, worker, course } = story;
  const { queue, priority, createdAt } = task;
  const created = { type: "task.created", at: createdAt, by: asker };
  const told = { queue, context_id: task.contextId };
  return [
    { ...created, data: { status: "submitted", queue, priority } },
    ...(course.startedAt === null ? [] : attempts(world, story, course.startedAt)),
    ...questions(world, story, index),
    ...ending(story),
  ].map((happening) => ({ ...happening, data: { ...told, ...happening.data } }));

  function ending({ course: { status, finishedAt, startedAt, attempt } }: TaskStory): Happening[] {
    if (finishedAt === null) return [];
    const data = { status, attempt, claimed_by_agent_id: startedAt === null ? null : worker.id };
    const end = { type: `task.${status}`, at: finishedAt, by: startedAt === null ? asker : worker, data };
    if (status !== "canceled" || startedAt === null) return [end];
    const at = new Date(Math.max(startedAt.getTime(), finishedAt.getTime() - 4000));
    return [{ type: "task.updated", at, by: asker, data: { ...data, status: "working" } }, end];
  }
}

function attempts(world: World, { course, worker }: TaskStory, startedAt: Date): Happening[] {
  const until = course.finishedAt ?? world.end;
  function claimed(at: Date, attempt: number): Happening {
    const data = { status: "working", attempt, claimed_by_agent_id: worker.id };
    return { type: "task.updated", at, by: worker, data };
  }
  if (course.attempt === 1) return [claimed(startedAt, 1)];
  const data = { status: "submitted", attempt: 1, claimed_by_agent_id: null };
  return [
    claimed(startedAt, 1),
    { type: "task.lease_expired", at: momentBetween(startedAt, until, LOST.expired), by: SERVICE, data },
    claimed(momentBetween(startedAt, until, LOST.again), 2),
  ];
}

/** As its messages tell: a question makes it wait, and the answer lets it go on. */
function questions(world: World, story: TaskStory, index: number): Happening[] {
  const { course, worker } = story;
  return taskThreadOf(world, index, story).flatMap(({ kind, sender, createdAt: at }): Happening[] => {
    if (kind !== "question" && kind !== "answer") return [];
    const status = kind === "question" ? "input_required" : "working";
    const data = { status, attempt: course.attempt, claimed_by_agent_id: worker.id };
    // Messages of the demo are sent by its agents and people.
    return [{ type: "task.updated", at, by: sender as Happening["by"], data }];
  });
}
