import { createFairTurns } from "../../domain/sweeps/fair-turns.ts";
import { repeat } from "../../domain/sweeps/repeat.ts";
import { AT_ONCE } from "./attempt.ts";
import { deliverEmails } from "./deliver-emails.ts";
import { deliverResetEmails } from "./deliver-reset-emails.ts";
import type { EmailServices } from "./email-services.ts";

const EVERY_MS = 1000;
/** How long a run waits for emails that are being sent, before the next run looks for others. */
const PATIENCE_MS = 200;

/** A running email delivery. */
export type EmailDelivery = {
  /** Starts no more attempts, and waits for the running ones. */
  stop: () => Promise<void>;
};

/**
 * Looks for due emails every second. Requests don't trigger it: otherwise response times would show whether
 * there was an email to send.
 */
export function startEmailDelivery(services: EmailServices): EmailDelivery {
  const stopping = new AbortController();
  const stoppable = { ...services, stopping: stopping.signal };
  // Two independent loops: a provider that hangs on one kind does not delay the other.
  const deliveries = [
    { name: "reset_emails", deliver: deliverResetEmails },
    { name: "emails", deliver: deliverEmails },
  ].map((delivery) => deliverAgain(stoppable, delivery));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(deliveries.map(({ stop }) => stop()));
    },
  };
}

function deliverAgain(
  services: EmailServices,
  { name, deliver }: { name: string; deliver: typeof deliverEmails },
): EmailDelivery {
  const turns = createFairTurns({ workers: AT_ONCE, patienceMs: PATIENCE_MS });
  const loop = repeat(services, {
    name,
    everyMs: EVERY_MS,
    run: async () => {
      await deliver(services, turns);
      return false;
    },
    failure: "email delivery failed",
  });
  return {
    stop: async () => {
      await loop.stop();
      await turns.settle();
    },
  };
}
