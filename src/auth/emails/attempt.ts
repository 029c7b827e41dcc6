/**
 * How long an attempt keeps an email locked. After that any node may retry, because the first one has
 * failed. Retries come at growing intervals.
 */
export const LEASE = "interval '60 seconds'";

/** The delay after a failed attempt: 5 seconds, doubled each time up to 640. */
export const BACKOFF = "interval '5 seconds' * power(2, LEAST(attempts, 8) - 1)";

/** The most emails of each outbox that one node sends at a time. */
export const AT_ONCE = 10;

const SEND_MS = 30_000;

/** Waits until an email is accepted, for less time than the attempt's lease. */
export async function sendInTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the mail provider did not answer within ${SEND_MS} ms`)),
      SEND_MS,
    );
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}
