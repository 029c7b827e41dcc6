import type { AgentCommand } from "../../db/generated/client.ts";
import { endInTurn } from "../kernel/end-in-turn.ts";
import type { DeliveryRequest } from "./deliver-agent-commands.ts";

/** A call that waits for one agent's commands. */
export type CommandWaiter = {
  asked: DeliveryRequest;
  /** Whether something may have become due since the last delivery. */
  isNotified: boolean;
  /** Whether it is waiting and no delivery to it is running. */
  isFree: () => boolean;
  /** Starts a delivery to it, which ends with `settle` or `fail`. */
  take: () => void;
  settle: (commands: AgentCommand[]) => void;
  fail: (error: unknown) => void;
  /**
   * Returns delivered commands, or none after the time-out or a signal. @throws the error of the delivery.
   */
  next: (timeoutMs: number, signals: readonly AbortSignal[]) => Promise<AgentCommand[]>;
};

type Answer = { resolve: (commands: AgentCommand[]) => void; reject: (error: unknown) => void };

/** @param wake called when it starts to wait and something may be due. */
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
    isFree: () => answer !== null && !isBusy && !isOver,
    take: () => {
      waiter.isNotified = false;
      isBusy = true;
    },
    settle: (commands) => {
      isBusy = false;
      // There may be more than the limit.
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
        // A running delivery must not be lost.
        if (!isBusy) endInTurn(() => give([]));
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
 * Takes the first waiter of an agent for which something may be due, and moves it to the end, so that a
 * waiter for one priority does not block one for the other.
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
