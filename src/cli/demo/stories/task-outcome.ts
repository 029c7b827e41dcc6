import type { Task } from "../../../db/generated/client.ts";
import type { Random } from "../random.ts";
import type { Writer } from "../writer.ts";
import type { TaskCourse } from "./task-course.ts";
import { fitsJob } from "./fits-job.ts";
import type { Trade, TradeFailure, TradeJob, TradeQuestion } from "./trade.ts";

/** The columns that say what became of a task. */
export type TaskOutcome = Pick<
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

/** Writes down what became of a task. */
export function taskOutcome(story: {
  course: TaskCourse;
  trade: Trade;
  write: Writer;
  random: Random;
}): TaskOutcome {
  const { course, trade, write, random } = story;
  const { status } = course;
  const nothing = { progress: null, output: null, artifacts: [], error: null };
  switch (status) {
    case "submitted":
      return { ...nothing, status, statusMessage: null };
    case "working": {
      const progress = Number(random.between(0.05, 0.95).toFixed(2));
      return { ...nothing, status, statusMessage: write(random.pick(doingOf(trade, write))), progress };
    }
    case "input_required":
      return {
        ...nothing,
        status,
        statusMessage: write(questionOf(trade, write)?.question ?? ""),
        progress: 0.5,
      };
    case "completed": {
      const summary = resultOf(trade, write);
      const artifacts = random.chance(0.2) ? [artifactOf(trade, summary)] : [];
      return { ...nothing, status, statusMessage: summary, progress: 1, output: { summary }, artifacts };
    }
    case "failed": {
      const { code, message, retryable } = failureOf(trade, write);
      return { ...nothing, status, statusMessage: message, error: { code, message, retryable } };
    }
    case "canceled":
      return { ...nothing, status, statusMessage: write(random.pick(fitting(CANCELED, trade, write))) };
    case "rejected":
      return { ...nothing, status, statusMessage: random.pick(REJECTED) };
  }
}

/** What is said of a task of this trade that is done. */
export function resultOf(trade: Trade, write: Writer): string {
  return write(jobOf(trade, write).result);
}

/** The job that a task of this trade is. */
export function jobOf({ jobs }: Trade, write: Writer): TradeJob {
  return chosen(jobs, write);
}

/** Why a task of this trade failed. */
export function failureOf(trade: Trade, write: Writer): TradeFailure {
  const job = jobOf(trade, write);
  const failure = chosen(
    trade.failures.filter(({ message }) => fitsJob(message, job)),
    write,
  );
  return { ...failure, message: write(failure.message) };
}

/** What is said while a task of this trade is worked on. */
export function doingOf(trade: Trade, write: Writer): string[] {
  return fitting(trade.doing, trade, write);
}

/** Those of some texts that fit a task of this trade. */
export function fitting(texts: readonly string[], trade: Trade, write: Writer): string[] {
  const job = jobOf(trade, write);
  return texts.filter((text) => fitsJob(text, job));
}

/** What may be asked during a task of this trade; null where its job leaves nothing open. */
export function questionOf(trade: Trade, write: Writer): TradeQuestion | null {
  return jobOf(trade, write).question ?? null;
}

/** The writer's own choice: tasks and the messages about them make the same one. */
function chosen<Item>(items: readonly Item[], write: Writer): Item {
  const item = items[Number(write("{choice}")) % items.length];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function artifactOf({ queue }: Trade, summary: string): object {
  const text = `# ${queue}\n\n${summary}\n`;
  return { artifact_id: "report", name: "Report", parts: [{ text, media_type: "text/markdown" }] };
}
