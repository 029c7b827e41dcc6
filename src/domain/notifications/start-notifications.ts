import type { Services } from "../kernel/services.ts";
import { repeat } from "../sweeps/repeat.ts";
import { createSweepTurns } from "../sweeps/sweep-workspaces.ts";
import { queueDigests } from "./queue-digests.ts";
import { queueQuestionEmails } from "./queue-question-emails.ts";

const EVERY_MS = 15_000;

/** Looks for late questions and due digests four times a minute. */
export function startNotifications(services: Services, now: Date | null): { stop: () => Promise<void> } {
  const turns = createSweepTurns();
  const loop = repeat(services, {
    name: "notifications",
    everyMs: EVERY_MS,
    run: async () => {
      await queueQuestionEmails(services, now, turns);
      await queueDigests(services, now, turns);
      return false;
    },
    failure: "emails about questions and digests could not be queued",
  });
  return {
    stop: async () => {
      await loop.stop();
      await turns.settle();
    },
  };
}
