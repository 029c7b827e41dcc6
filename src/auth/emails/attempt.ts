/**
 * How letters are tried: an attempt holds its letter for a minute, after which any node takes it up
 * again, for the one that had it is dead. What fails is tried again, ever later.
 */
export const LEASE = "interval '60 seconds'";

/** How long after a failed attempt the next one comes: 5 seconds, doubled each time up to 640. */
export const BACKOFF = "interval '5 seconds' * power(2, LEAST(attempts, 8) - 1)";

/** Letters that one node sends at a time. */
export const BATCH = 10;

const SEND_MS = 30_000;

/** Waits for a letter to be taken, for less time than its attempt holds it. */
export async function sendInTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the mailer took more than ${SEND_MS} ms`)), SEND_MS);
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until every one of some works has ended.
 *
 * @returns their results; the first failure is thrown, once all have ended.
 */
export async function settleAll<Result>(works: Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
