import type { Task } from "../../db/generated/client.ts";
import type { Random } from "../random.ts";
import type { Writer } from "../writer.ts";
import type { JobProfile, JobFailure, JobTemplate, JobQuestion } from "./job-profile.ts";
import type { TaskCourse } from "./task-course.ts";

/** The columns for a task's outcome. */
export type OutcomeColumns = Pick<
  Task,
  "status" | "statusMessage" | "progress" | "output" | "artifacts" | "error"
>;

const CANCELED = [
  "Canceled: solved otherwise.",
  "Canceled: asked for twice.",
  "Canceled: {customer} took it back.",
  "Canceled: not needed before {weekday}.",
];
const REJECTED = [
  "Not mine: this needs a person.",
  "Rejected: the brief lacks what I need.",
  "Outside what I may do.",
];

/** Builds the columns of a task's outcome. */
export function buildOutcome(scenario: {
  course: TaskCourse;
  profile: JobProfile;
  write: Writer;
  random: Random;
}): OutcomeColumns {
  const { course, profile, write, random } = scenario;
  const { status } = course;
  const nothing = { progress: null, output: null, artifacts: [], error: null };
  switch (status) {
    case "submitted":
      return { ...nothing, status, statusMessage: null };
    case "working":
    case "auth_required": {
      const progress = Number(random.between(0.05, 0.95).toFixed(2));
      return {
        ...nothing,
        status,
        statusMessage: write(random.pick(listActivities(profile, write))),
        progress,
      };
    }
    case "input_required":
      return {
        ...nothing,
        status,
        statusMessage: write(findQuestion(profile, write)?.question ?? ""),
        progress: 0.5,
      };
    case "completed": {
      const summary = writeResult(profile, write);
      const artifacts = random.chance(0.2) ? [buildArtifact(profile, summary)] : [];
      return { ...nothing, status, statusMessage: summary, progress: 1, output: { summary }, artifacts };
    }
    case "failed": {
      const { code, message, retryable } = pickFailure(profile, write);
      return { ...nothing, status, statusMessage: message, error: { code, message, retryable } };
    }
    case "canceled":
      return {
        ...nothing,
        status,
        statusMessage: write(random.pick(filterFitting(CANCELED, profile, write))),
      };
    case "rejected":
      return { ...nothing, status, statusMessage: random.pick(REJECTED) };
  }
}

/** Writes the result of a completed task. */
export function writeResult(profile: JobProfile, write: Writer): string {
  return write(pickJob(profile, write).result);
}

/** Picks the job of a task. */
export function pickJob({ jobs }: JobProfile, write: Writer): JobTemplate {
  return chooseItem(jobs, write);
}

/** Picks a reason for a task's failure. */
export function pickFailure(profile: JobProfile, write: Writer): JobFailure {
  const job = pickJob(profile, write);
  const failure = chooseItem(
    profile.failures.filter(({ message }) => fitsJob(message, job)),
    write,
  );
  return { ...failure, message: write(failure.message) };
}

/** Lists progress messages for a task. */
export function listActivities(profile: JobProfile, write: Writer): string[] {
  return filterFitting(profile.doing, profile, write);
}

/** Filters the texts that fit a task of this profile. */
export function filterFitting(texts: readonly string[], profile: JobProfile, write: Writer): string[] {
  const job = pickJob(profile, write);
  return texts.filter((text) => fitsJob(text, job));
}

/** Returns a question for a task; null if its job has none. */
export function findQuestion(profile: JobProfile, write: Writer): JobQuestion | null {
  return pickJob(profile, write).question ?? null;
}

/** Chooses an item. Tasks and their messages make the same choice. */
function chooseItem<Item>(items: readonly Item[], write: Writer): Item {
  const item = items[Number(write("{choice}")) % items.length];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function buildArtifact({ queue }: JobProfile, summary: string): object {
  const text = `# ${queue}\n\n${summary}\n`;
  return { artifact_id: "report", name: "Report", parts: [{ text, media_type: "text/markdown" }] };
}

/** Slots that a job's title and brief need not mention first. */
const FREE = new Set("choice count days few minutes percent progress test units weekday".split(" "));

/**
 * Whether a text mentions only things, such as an order or a customer, that the job's title or brief
 * mention.
 */
export function fitsJob(text: string, { title, brief }: Pick<JobTemplate, "title" | "brief">): boolean {
  const named = new Set(listSlots(`${title} ${brief}`));
  return listSlots(text).every((slot) => FREE.has(slot) || named.has(slot));
}

function listSlots(text: string): string[] {
  return [...text.matchAll(/\{([a-z]+)\d?\}/g)].flatMap(([, slot]) => slot ?? []);
}
