import { describeError } from "./api-error.ts";

/** Tells what the client does, for people: one line a call. */
export type Log = (message: string) => void;

/** Whether the service answers: what is told once when it no longer does, and once when it does again. */
export type Contact = {
  /** @param askedAtMs when the request was sent, by `performance.now()`. */
  answered: (askedAtMs: number) => void;
  missed: (error: unknown) => void;
};

/** Watches whether the service at an address answers. */
export function watchContact(url: string, log: Log): Contact {
  let isAway = false;
  let missedAtMs = 0;
  return {
    answered: (askedAtMs) => {
      // What was asked before may still be answered by a service that is going.
      if (!isAway || askedAtMs <= missedAtMs) return;
      log(`${url} is back`);
      isAway = false;
    },
    missed: (error) => {
      if (!isAway) log(`${url} can't be reached (${describeError(error)}), trying until it is back`);
      isAway = true;
      missedAtMs = performance.now();
    },
  };
}

/** Writes lines to standard error. */
export function logToStandardError(message: string): void {
  process.stderr.write(`agent-ops: ${message}\n`);
}
