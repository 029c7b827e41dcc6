import { formatDuration } from "../../../ui/words.ts";
import type { ShownCommand } from "./command-query.ts";

/** A step of a command's way: done at an instant, or not yet. */
export type Step = {
  name: string;
  at: string | null;
  /** How long it took since the step before; null for the first and for what is not done. */
  took: string | null;
  /** What else is to be known of it. */
  note: string | null;
};

/** The steps of a command in their order. Those that it never came to are left out once it has ended. */
export function listSteps(command: ShownCommand): Step[] {
  const { createdAt, deliveredAt, acknowledgedAt, startedAt, finishedAt, status } = command;
  const all: Omit<Step, "took">[] = [
    { name: "Queued", at: createdAt, note: null },
    { name: "Delivered", at: deliveredAt, note: describeRedeliveries(command) },
    { name: "Acknowledged", at: acknowledgedAt, note: null },
    ...(startedAt === null ? [] : [{ name: "Began", at: startedAt, note: null }]),
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
  return `Delivered ${deliveryAttempts} times: it was not acknowledged in time.`;
}

function describeLateness({ late }: ShownCommand): string | null {
  return late ? "A result came after the time-out. It is kept, and the status stays." : null;
}

function formatElapsed(before: string | null, at: string | null): string | null {
  if (before === null || at === null) return null;
  const ms = Date.parse(at) - Date.parse(before);
  return ms < 1000 ? `${Math.max(0, ms)} ms` : formatDuration(ms / 1000);
}
