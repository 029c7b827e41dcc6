import { isFinal, isGone, isRejection, isUnfit } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { asJson } from "./as-json.ts";
import { followEvents } from "./events.ts";
import type { HeldTasks } from "./held-tasks.ts";
import type { Send } from "./request.ts";
import { backoffMs, runTogether, wait } from "./wait.ts";

type Task = Schemas["Task"];
type Lease = Schemas["Lease"];

/** What a handler of tasks may use while it works. */
export type TaskRun = {
  /**
   * Counts the claims of the task, from 1. An effect is never keyed by it: one that is keyed by the task's id alone
   * happens once, however many attempts the task takes.
   */
  attempt: number;
  /** Goes with a question about the task, by POST /messages: the task then waits for the answer. */
  leaseToken: string;
  /** Given when the work is of no use any more: the lease is lost, the task canceled, or the loop ended. */
  signal: AbortSignal;
  /** Tells how far the work is, with the next heartbeat. */
  progress: (progress: number, message?: string) => void;
};

/** What came of a task. */
export type TaskOutcome = Pick<Schemas["TaskCompletion"], "artifacts"> & { output?: unknown };

/** How tasks are worked on. */
export type TaskLoop = {
  /** `default` where it is left out. */
  queues?: string[];
  /** How many at once; 1 where it is left out. */
  concurrency?: number;
  /** 60 where it is left out. A third of it lies between two heartbeats. */
  leaseSeconds?: number;
  /**
   * Works on a task. What it throws fails the attempt; `retryable: false` on it fails the task. After a crash it is
   * called again for the same task: key each effect by the task's id.
   */
  handle: (task: Task, run: TaskRun) => Promise<TaskOutcome | void>;
  /** Told of what went wrong on the way, and the loop goes on; it is logged where this is left out. */
  onError?: (error: unknown, task: Task | null) => void;
  signal: AbortSignal;
};

const WAIT_SECONDS = 25;
const LEASE_SECONDS = 60;

/** What tasks are worked on with. */
export type TaskContext = { send: Send; held: HeldTasks };

/**
 * Claims tasks and works on them until the signal is given; what runs then is given back into its queue.
 *
 * @throws {ApiError} where the service lets the client do nothing more; the message says what helps.
 */
export async function workTasks(shop: TaskContext, loop: TaskLoop): Promise<void> {
  await runTogether(
    loop.signal,
    Array.from({ length: loop.concurrency ?? 1 }, () => (signal) => workOneByOne(shop, { ...loop, signal })),
  );
}

async function workOneByOne(shop: TaskContext, loop: TaskLoop): Promise<void> {
  const { send } = shop;
  const { queues, leaseSeconds, signal } = loop;
  const body = { queues: queues ?? ["default"], lease_s: leaseSeconds ?? LEASE_SECONDS, wait: WAIT_SECONDS };
  for (let failures = 0; !signal.aborted;) {
    try {
      const startedMs = performance.now();
      const claimed = await send("POST /tasks/claim", { body, signal, again: false });
      failures = 0;
      if (claimed !== null) await work(shop, loop, claimed);
      // An agent that is paused gets no answer that it has waited for.
      else if (performance.now() - startedMs < 1000) await wait(backoffMs(2), signal);
    } catch (error) {
      if (isFinal(error)) throw error;
      if (signal.aborted) return;
      loop.onError?.(error, null);
      await wait(backoffMs(++failures), signal);
    }
  }
}

type Claimed = { task: Task; lease: Lease };
type Held = Claimed & {
  send: Send;
  loop: TaskLoop;
  over: AbortController;
  unsentProgress: { progress?: number; status_message?: string };
};

async function work(shop: TaskContext, loop: TaskLoop, claimed: Claimed): Promise<void> {
  const over = new AbortController();
  const held: Held = { ...claimed, send: shop.send, loop, over, unsentProgress: {} };
  const release = shop.held.hold(claimed.task.id, () => over.abort("canceled"));
  function end(): void {
    over.abort("stopping");
  }
  loop.signal.addEventListener("abort", end, { once: true });
  const watching = Promise.all([heartbeat(held), shop.held.isListening() || watch(held)]);
  try {
    const call = await runHandler(held);
    over.abort("done");
    await watching;
    await settle(held, call);
  } catch (error) {
    if (isFinal(error)) throw error;
    if (!isRejection(error, "lease_lost")) loop.onError?.(error, claimed.task);
  } finally {
    release();
    over.abort("done");
    loop.signal.removeEventListener("abort", end);
  }
}

type Holding = { id: string; body: { lease_token: string }; signal: AbortSignal };
type Settling = (held: Holding) => Promise<unknown>;

async function runHandler({ task, lease, loop, over, unsentProgress, send }: Held): Promise<Settling> {
  const run: TaskRun = {
    attempt: lease.attempt,
    leaseToken: lease.token,
    signal: over.signal,
    progress: (progress, message) =>
      Object.assign(unsentProgress, { progress, ...(message && { status_message: message }) }),
  };
  try {
    // What the handler gave, as it will arrive: what can't be JSON fails the attempt.
    const { output, artifacts = [] } = asJson((await loop.handle(task, run)) ?? {}) as TaskOutcome;
    return ({ body, ...held }) =>
      send("POST /tasks/{id}/complete", { ...held, body: { ...body, output, artifacts } });
  } catch (error) {
    // What ended the work tells what it comes to; nobody holds a lease that is lost.
    if (over.signal.reason === "stopping") return (held) => send("POST /tasks/{id}/release", held);
    if (over.signal.reason === "canceled") return (held) => send("POST /tasks/{id}/cancel_ack", held);
    if (over.signal.aborted) return async () => {};
    loop.onError?.(error, task);
    return createFailure(send, error);
  }
}

function createFailure(send: Send, error: unknown): Settling {
  return ({ body, ...held }) =>
    send("POST /tasks/{id}/fail", { ...held, body: { ...body, error: toTaskError(error) } });
}

/**
 * The lease answers a call that is sent again alike, so it is sent until it is known to have arrived, or the lease
 * has run out.
 */
async function settle({ task, lease, loop, send }: Held, call: Settling): Promise<void> {
  const signal = AbortSignal.timeout(getLeaseMs(loop));
  const held = { id: task.id, body: { lease_token: lease.token }, signal };
  try {
    await call(held);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    loop.onError?.(error, task);
    await createFailure(send, error)(held);
  }
}

async function heartbeat(held: Held): Promise<void> {
  const { loop, over } = held;
  while (!over.signal.aborted) {
    await wait(getLeaseMs(loop) / 3, over.signal);
    await sendHeartbeat(held);
  }
}

/** Hears at once that the task is to be canceled, where nobody listens for commands. */
async function watch(held: Held): Promise<void> {
  const { task, over, send } = held;
  await watchTask(send, { id: task.id, signal: over.signal }, () => sendHeartbeat(held));
}

/** Holds the lease, and ends the work that is of no use any more. */
async function sendHeartbeat({ task, lease, loop, over, unsentProgress, send }: Held): Promise<void> {
  if (over.signal.aborted) return;
  try {
    const body = { lease_token: lease.token, ...unsentProgress };
    const sent = { id: task.id, body, signal: over.signal };
    const { cancel_requested: isToEnd } = await send("POST /tasks/{id}/heartbeat", sent);
    if (isToEnd) over.abort("canceled");
  } catch (error) {
    if (over.signal.aborted) return;
    if (isGone(error) || isFinal(error)) return over.abort("lost");
    loop.onError?.(error, task);
    // The lease must not run out for what the handler has told.
    if (isUnfit(error)) clearProgress(unsentProgress);
  }
}

function clearProgress(unsentProgress: Held["unsentProgress"]): void {
  delete unsentProgress.progress;
  delete unsentProgress.status_message;
}

function getLeaseMs({ leaseSeconds = LEASE_SECONDS }: TaskLoop): number {
  return leaseSeconds * 1000;
}

function toTaskError(error: unknown): Schemas["TaskFailure"]["error"] {
  const { message, code, retryable } = (error ?? {}) as {
    message?: unknown;
    code?: unknown;
    retryable?: unknown;
  };
  return {
    message: String(message ?? error).slice(0, 2000) || "The handler failed.",
    ...(typeof code === "string" && { code: code.slice(0, 64) }),
    ...(typeof retryable === "boolean" && { retryable }),
  };
}

/** What takes less ends before anybody could cancel it: it is not worth a request. */
const WATCHED_AFTER_MS = 1000;

/**
 * Watches a task until the signal is given, and calls `changed` when something has become of it, once at the
 * beginning too. Ends early where events can't be had, as without their scope: heartbeats tell of a cancel as well.
 */
async function watchTask(
  send: Send,
  { id, signal }: { id: string; signal: AbortSignal },
  changed: () => Promise<void>,
): Promise<void> {
  await wait(WATCHED_AFTER_MS, signal);
  try {
    let isFirst = true;
    for await (const { kind } of followEvents(send, { subject: id, types: ["task.*"], signal })) {
      if (signal.aborted) return;
      if (isFirst || kind !== "checkpoint") await changed();
      isFirst = false;
    }
  } catch {
    // Whatever ends the work as well is met by the heartbeats.
  }
}
