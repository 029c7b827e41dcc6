import { deliverEmails } from "./deliver-emails.ts";
import { deliverResetEmails } from "./deliver-reset-emails.ts";
import type { EmailServices } from "./email-services.ts";

const EVERY_MS = 1000;

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
  const stops = [deliverResetEmails, deliverEmails].map((deliver) => runEverySecond(stoppable, deliver));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function runEverySecond(
  services: EmailServices,
  deliver: (services: EmailServices) => Promise<number>,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= tryDeliver(services, deliver).finally(() => {
      running = null;
    });
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function tryDeliver(
  services: EmailServices,
  deliver: (services: EmailServices) => Promise<number>,
): Promise<void> {
  try {
    await deliver(services);
  } catch (error) {
    services.log.warn({ err: error }, "email delivery failed and will be retried");
  }
}
