import type { Task } from "../../db/generated/client.ts";
import type { Random } from "../random.ts";
import { minDate, addSeconds } from "../times.ts";
import type { JobProfile } from "./job-profile.ts";

/** The outcome of a task, with its times. */
export type TaskCourse = {
  status: Task["status"];
  startedAt: Date | null;
  finishedAt: Date | null;
  attempt: number;
  /** Whether a question was asked. Without an end, it is still open. */
  asked: boolean;
};

const ENDS = { completed: 87, failed: 7, canceled: 4, rejected: 2 } as const;
/** The numbers of open and closed tasks among the newest. */
const OPEN = { submitted: 9, working: 11, input_required: 7, closed: 73 } as const;

/** Chooses the outcome of a task. `recent` is for the newest tasks, of which some are open. */
export function taskCourse(
  random: Random,
  profile: JobProfile,
  scenario: { createdAt: Date; end: Date; recent: boolean },
): TaskCourse {
  const { createdAt, end, recent } = scenario;
  const [shortest, longest] = profile.minutes;
  const startedAt = addSeconds(createdAt, random.between(1, 30) + 600 * random.next() ** 6);
  const minutes = shortest + (longest - shortest) * random.next() ** 2;
  const finishedAt = addSeconds(startedAt, minutes * 60);
  const open = recent ? random.weigh(OPEN) : "closed";
  const ending = random.weigh(ENDS);
  const asked = random.chance(0.09);
  const retried = random.chance(0.05);
  if (startedAt > end || open === "submitted") return createWaiting();
  const attempt = retried ? 2 : 1;
  if (open === "input_required") {
    return { status: "input_required", startedAt, finishedAt: null, attempt, asked: true };
  }
  if (finishedAt > end || open === "working") {
    return { status: "working", startedAt, finishedAt: null, attempt, asked: false };
  }
  if (ending === "canceled" && retried) return createCanceledUnstarted(createdAt, startedAt);
  const soon = addSeconds(startedAt, random.between(2, 40));
  if (ending === "rejected") {
    return { status: ending, startedAt, finishedAt: minDate(soon, finishedAt), attempt, asked: false };
  }
  return { status: ending, startedAt, finishedAt, attempt, asked: asked && ending === "completed" };
}

function createWaiting(): TaskCourse {
  return { status: "submitted", startedAt: null, finishedAt: null, attempt: 0, asked: false };
}

function createCanceledUnstarted(createdAt: Date, startedAt: Date): TaskCourse {
  const finishedAt = new Date((createdAt.getTime() + startedAt.getTime()) / 2);
  return { status: "canceled", startedAt: null, finishedAt, attempt: 0, asked: false };
}

/** Removes the question from the course of a task. */
export function withoutQuestion(course: TaskCourse): TaskCourse {
  const { status } = course;
  return { ...course, asked: false, status: status === "input_required" ? "working" : status };
}
