import { formatDuration } from "../../../ui/words.ts";
import type { ShownCommand } from "./command-query.ts";

/** A step of a command's life, completed or not. */
export type Step = {
  name: string;
  at: string | null;
  /** Time since the previous step. Null for the first step and those not completed. */
  took: string | null;
  /** An additional remark. */
  note: string | null;
};

/** A command's steps in order. Once it has finished, skipped steps are omitted. */
export function listSteps(command: ShownCommand): Step[] {
  const { createdAt, deliveredAt, acknowledgedAt, startedAt, finishedAt, status, approvalUuid } = command;
  const all: Omit<Step, "took">[] = [
    { name: approvalUuid === null ? "Queued" : "Issued", at: createdAt, note: null },
    { name: "Delivered", at: deliveredAt, note: describeRedeliveries(command) },
    { name: "Acknowledged", at: acknowledgedAt, note: null },
    ...(startedAt === null ? [] : [{ name: "Started", at: startedAt, note: null }]),
    {
      name: finishedAt === null ? "Finished" : capitalize(status),
      at: finishedAt,
      note: describeLateness(command),
    },
  ];
  const come = finishedAt === null ? all : all.filter(({ at }) => at !== null);
  return come.map((step, index) => ({ ...step, took: formatElapsed(come[index - 1]?.at ?? null, step.at) }));
}

function capitalize(status: string): string {
  const words = status.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function describeRedeliveries({ deliveryAttempts, deliveredAt }: ShownCommand): string | null {
  if (deliveredAt === null || deliveryAttempts < 2) return null;
  return `Delivered ${deliveryAttempts} times, because it wasn’t acknowledged in time.`;
}

function describeLateness({ late }: ShownCommand): string | null {
  return late ? "A result arrived after the timeout. It is kept, but the status doesn’t change." : null;
}

function formatElapsed(before: string | null, at: string | null): string | null {
  if (before === null || at === null) return null;
  const ms = Date.parse(at) - Date.parse(before);
  return ms < 1000 ? `${Math.max(0, ms)} ms` : formatDuration(ms / 1000);
}
