import { type HistoryEntry, type PastEvent, SERVICE, toEvents } from "../history.ts";
import { pickMomentBetween } from "../times.ts";
import type { DemoWorld } from "../demo-world.ts";
import { buildTaskThread } from "./task-thread.ts";
import type { TaskScenario } from "./task-scenario.ts";

/** When a first attempt expires and the second begins, as shares of the task's duration. */
const LOST = { expired: 0.04, again: 0.06 };

/** Builds the events of a task. */
export function buildTaskHistory(world: DemoWorld, scenario: TaskScenario, index: number): PastEvent[] {
  const { id, claimedByAgentId, assigneeAgentId } = scenario.task;
  const subject = { subjectType: "task", subjectId: id, agentId: claimedByAgentId ?? assigneeAgentId };
  return toEvents(subject, listTaskHistory(world, scenario, index));
}

/** Lists what happened to a task, in order of time, starting with its creation. */
export function listTaskHistory(world: DemoWorld, scenario: TaskScenario, index: number): HistoryEntry[] {
  const { task, asker, worker, course } = scenario;
  const { queue, priority, createdAt } = task;
  const created = { type: "task.created", at: createdAt, by: asker };
  const details = { queue, context_id: task.contextId };
  return [
    { ...created, data: { status: "submitted", queue, priority } },
    ...(course.startedAt === null ? [] : listAttempts(world, scenario, course.startedAt)),
    ...listQuestions(world, scenario, index),
    ...ending(scenario),
  ].map((entry) => ({ ...entry, data: { ...details, ...entry.data } }));

  function ending({ course: { status, finishedAt, startedAt, attempt } }: TaskScenario): HistoryEntry[] {
    if (finishedAt === null) return [];
    const data = { status, attempt, claimed_by_agent_id: startedAt === null ? null : worker.id };
    const end = { type: `task.${status}`, at: finishedAt, by: startedAt === null ? asker : worker, data };
    if (status !== "canceled" || startedAt === null) return [end];
    const at = new Date(Math.max(startedAt.getTime(), finishedAt.getTime() - 4000));
    return [{ type: "task.updated", at, by: asker, data: { ...data, status: "working" } }, end];
  }
}

function listAttempts(world: DemoWorld, { course, worker }: TaskScenario, startedAt: Date): HistoryEntry[] {
  const until = course.finishedAt ?? world.end;
  function claimed(at: Date, attempt: number): HistoryEntry {
    const data = { status: "working", attempt, claimed_by_agent_id: worker.id };
    return { type: "task.updated", at, by: worker, data };
  }
  if (course.attempt === 1) return [claimed(startedAt, 1)];
  const data = { status: "submitted", attempt: 1, claimed_by_agent_id: null };
  return [
    claimed(startedAt, 1),
    { type: "task.lease_expired", at: pickMomentBetween(startedAt, until, LOST.expired), by: SERVICE, data },
    claimed(pickMomentBetween(startedAt, until, LOST.again), 2),
  ];
}

/** Follows the task's messages: a question makes it wait, and the answer lets it continue. */
function listQuestions(world: DemoWorld, scenario: TaskScenario, index: number): HistoryEntry[] {
  const { course, worker } = scenario;
  return buildTaskThread(world, index, scenario).flatMap(
    ({ kind, sender, createdAt: at }): HistoryEntry[] => {
      if (kind !== "question" && kind !== "answer") return [];
      const status = kind === "question" ? "input_required" : "working";
      const data = { status, attempt: course.attempt, claimed_by_agent_id: worker.id };
      // The demo's messages are sent by its agents and people.
      return [{ type: "task.updated", at, by: sender as HistoryEntry["by"], data }];
    },
  );
}
