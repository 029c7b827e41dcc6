import type { AgentCommand } from "../../db/generated/client.ts";
import type { DeliveryRequest } from "./deliver-agent-commands.ts";

/** Somebody who waits for one agent's commands. */
export type CommandWaiter = {
  asked: DeliveryRequest;
  /** Whether something may be due since it was last looked for. */
  isNotified: boolean;
  /** Whether he waits at this moment, and nothing is being delivered to him. */
  isFree: () => boolean;
  /** From here to `settle` or `fail` something is being delivered to him. */
  take: () => void;
  settle: (commands: AgentCommand[]) => void;
  fail: (error: unknown) => void;
  /** Gives what is delivered, or none when the time is over or a signal is given. @throws whatever the delivery does. */
  next: (timeoutMs: number, signals: readonly AbortSignal[]) => Promise<AgentCommand[]>;
};

type Answer = { resolve: (commands: AgentCommand[]) => void; reject: (error: unknown) => void };

/**
 * Makes one who waits.
 *
 * @param wake told when he begins to wait, and something may be due.
 */
export function createWaiter(asked: DeliveryRequest, wake: () => void): CommandWaiter {
  let answer: Answer | null = null;
  let isBusy = false;
  let isOver = false;

  function give(commands: AgentCommand[]): void {
    answer?.resolve(commands);
    answer = null;
  }

  const waiter: CommandWaiter = {
    asked,
    isNotified: true,
    isFree: () => answer !== null && !isBusy,
    take: () => {
      waiter.isNotified = false;
      isBusy = true;
    },
    settle: (commands) => {
      isBusy = false;
      // There may be more than was asked for.
      waiter.isNotified ||= commands.length >= asked.limit;
      if (commands.length > 0 || isOver) give(commands);
    },
    fail: (error) => {
      isBusy = false;
      waiter.isNotified = true;
      answer?.reject(error);
      answer = null;
    },
    next: async (timeoutMs, signals) => {
      isOver = false;
      const given = new Promise<AgentCommand[]>((resolve, reject) => (answer = { resolve, reject }));
      if (waiter.isNotified) wake();
      const end = scheduleEnd(timeoutMs, signals, () => {
        isOver = true;
        // What is being delivered at this moment is not to be lost.
        if (!isBusy) give([]);
      });
      try {
        return await given;
      } finally {
        end.cancel();
      }
    },
  };
  return waiter;
}

/**
 * The first of an agent's waiters for whom something may be due; he is taken, and goes behind the others: who
 * waits for one priority keeps nobody from the other.
 */
export function takeNotified(waiters: Set<CommandWaiter>): CommandWaiter | null {
  for (const waiter of waiters) {
    if (!waiter.isNotified || !waiter.isFree()) continue;
    waiter.take();
    waiters.delete(waiter);
    waiters.add(waiter);
    return waiter;
  }
  return null;
}

function scheduleEnd(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  ended: () => void,
): { cancel: () => void } {
  const canceled = new AbortController();
  const timer = setTimeout(ended, timeoutMs);
  for (const signal of signals) {
    if (signal.aborted) ended();
    signal.addEventListener("abort", ended, { signal: canceled.signal });
  }
  return {
    cancel: () => {
      clearTimeout(timer);
      canceled.abort();
    },
  };
}
