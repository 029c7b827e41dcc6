import { describeError } from "./api-error.ts";

/** Logs one line for people. */
export type Log = (message: string) => void;

/** Tracks whether the service is reachable, to log each change once. */
export type Contact = {
  /** @param askedAtMs when the request was sent, from `performance.now()`. */
  answered: (askedAtMs: number) => void;
  missed: (error: unknown) => void;
};

export function watchContact(url: string, log: Log): Contact {
  let isAway = false;
  let missedAtMs = 0;
  return {
    answered: (askedAtMs) => {
      // A service that is shutting down may still respond to earlier requests.
      if (!isAway || askedAtMs <= missedAtMs) return;
      log(`${url} is available again`);
      isAway = false;
    },
    missed: (error) => {
      if (!isAway) log(`${url} can't be reached (${describeError(error)}). Retrying until it is available.`);
      isAway = true;
      missedAtMs = performance.now();
    },
  };
}

export function logToStandardError(message: string): void {
  process.stderr.write(`agent-ops: ${message}\n`);
}
