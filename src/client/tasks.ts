import { isFinal, isGone, isRejection, isUnfit } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { asJson } from "./as-json.ts";
import { followEvents } from "./events.ts";
import type { HeldTasks } from "./held-tasks.ts";
import type { Send } from "./request.ts";
import { type TraceContext, runWithin, toTraceContext } from "./trace-context.ts";
import { backoffMs, runTogether, wait } from "./wait.ts";

type Task = Schemas["Task"];
type Lease = Schemas["Lease"];

/** Passed to task handlers. */
export type TaskRun = TraceContext & {
  /**
   * The number of claims of this task, from 1. Don't use it in idempotency keys: keyed by the task's id alone, an
   * effect happens once, however many attempts there are.
   */
  attempt: number;
  /** Send it with a question about the task (POST /messages), so that the task waits for the answer. */
  leaseToken: string;
  /** Aborted when the work is no longer needed: the lease is lost, the task is canceled, or the loop is stopping. */
  signal: AbortSignal;
  /** Reports progress with the next heartbeat. */
  progress: (progress: number, message?: string) => void;
};

/** A task's result. */
export type TaskOutcome = Pick<Schemas["TaskCompletion"], "artifacts"> & { output?: unknown };

export type TaskLoop = {
  /** Default: `default`. */
  queues?: string[];
  /** Number of tasks handled at once. Default: 1. */
  concurrency?: number;
  /** Default: 60. Heartbeats are sent at a third of it. */
  leaseSeconds?: number;
  /**
   * Handles a task. If it throws, the attempt fails; if the error has `retryable: false`, the task fails. After a crash
   * it is called again for the same task, so use the task's id as the key of each effect.
   */
  handle: (task: Task, run: TaskRun) => Promise<TaskOutcome | void>;
  /** Called with errors that don't stop the loop. Default: logged. */
  onError?: (error: unknown, task: Task | null) => void;
  signal: AbortSignal;
};

const WAIT_SECONDS = 25;
const LEASE_SECONDS = 60;

export type TaskContext = { send: Send; held: HeldTasks };

/**
 * Claims and handles tasks until the signal is aborted. Tasks in progress are then released to their queues.
 *
 * @throws {ApiError} if the client can't continue. The message says what to do.
 */
export async function workTasks(context: TaskContext, loop: TaskLoop): Promise<void> {
  await runTogether(
    loop.signal,
    Array.from(
      { length: loop.concurrency ?? 1 },
      () => (signal) => workOneByOne(context, { ...loop, signal }),
    ),
  );
}

async function workOneByOne(context: TaskContext, loop: TaskLoop): Promise<void> {
  const { send } = context;
  const { queues, leaseSeconds, signal } = loop;
  const body = { queues: queues ?? ["default"], lease_s: leaseSeconds ?? LEASE_SECONDS, wait: WAIT_SECONDS };
  for (let failures = 0; !signal.aborted;) {
    try {
      const startedMs = performance.now();
      const claimed = await send("POST /tasks/claim", { body, signal, again: false });
      failures = 0;
      if (claimed !== null) await work(context, loop, claimed);
      // A paused agent gets an empty response without waiting.
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

async function work(context: TaskContext, loop: TaskLoop, claimed: Claimed): Promise<void> {
  const over = new AbortController();
  const held: Held = { ...claimed, send: context.send, loop, over, unsentProgress: {} };
  const release = context.held.hold(claimed.task.id, () => over.abort("canceled"));
  function end(): void {
    over.abort("stopping");
  }
  loop.signal.addEventListener("abort", end, { once: true });
  const watching = Promise.all([heartbeat(held), context.held.isListening() || watch(held)]);
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
    ...toTraceContext(lease.traceparent),
    attempt: lease.attempt,
    leaseToken: lease.token,
    signal: over.signal,
    progress: (progress, message) =>
      Object.assign(unsentProgress, { progress, ...(message && { status_message: message }) }),
  };
  try {
    // Serialised here, so that a result that can't be JSON fails the attempt.
    const { output, artifacts = [] } = asJson(
      (await runWithin(run.traceparent, () => loop.handle(task, run))) ?? {},
    ) as TaskOutcome;
    return ({ body, ...held }) =>
      send("POST /tasks/{id}/complete", { ...held, body: { ...body, output, artifacts } });
  } catch (error) {
    // The reason for ending the work decides how the task is settled. A lost lease needs no call.
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
 * Sends the final call for a task until it is known to have arrived or the lease has expired. Repeating it with the
 * same lease returns the same response.
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

/** Notices a cancellation at once, unless a command loop already does. */
async function watch(held: Held): Promise<void> {
  const { task, over, send } = held;
  await watchTask(send, { id: task.id, signal: over.signal }, () => sendHeartbeat(held));
}

/** Extends the lease, and aborts work that is no longer needed. */
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
    // A rejected progress report must not cost the lease.
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

/** Shorter tasks end before anybody could cancel them, so watching them isn't worth a request. */
const WATCHED_AFTER_MS = 1000;

/**
 * Watches a task until the signal is aborted. Calls `changed` at the start and after each change. Ends early if events
 * are not available, such as without their scope; heartbeats also report cancellations.
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
