import { deliverEmails } from "./deliver-emails.ts";
import { deliverResetEmails } from "./deliver-reset-emails.ts";
import type { EmailServices } from "./email-services.ts";

const EVERY_MS = 1000;

/** A delivery that runs until it is stopped. */
export type EmailDelivery = {
  /** Starts no more attempts, and waits for those that run. */
  stop: () => Promise<void>;
};

/**
 * Looks every second for letters that are due. Nobody wakes it: were it woken by a request, then the time
 * of other answers would tell whether there was a letter to send.
 */
export function startEmailDelivery(services: EmailServices): EmailDelivery {
  const stopping = new AbortController();
  const stoppable = { ...services, stopping: stopping.signal };
  // Each at its own pace: a provider that hangs on one kind does not hold up the other.
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
    services.log.warn({ err: error }, "letters could not be delivered and are tried again");
  }
}
