import { ApiError, isRefusal } from "./api-error.ts";
import type { Routes, Schemas } from "./api-types.ts";
import type { Send } from "./request.ts";
import { backoffMs, sharedSignal, wait } from "./wait.ts";

type Task = Schemas["Task"];
type Lease = Schemas["Lease"];

/** What a handler of tasks may use while it works. */
export type TaskRun = {
  /**
   * The fencing token: with the task's id it names this attempt. An effect that is keyed by both happens
   * once, whatever fails.
   */
  attempt: number;
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
  /** Works on a task. What it throws fails the attempt; `retryable: false` on it fails the task. */
  handle: (task: Task, run: TaskRun) => Promise<TaskOutcome | void>;
  /** Told of what went wrong on the way; the loop goes on. */
  onError?: (error: unknown, task: Task | null) => void;
  signal: AbortSignal;
};

const WAIT_SECONDS = 25;
const LEASE_SECONDS = 60;

/** Claims tasks and works on them until the signal is given; what runs then is given back into its queue. */
export async function workTasks(send: Send, loop: TaskLoop): Promise<void> {
  const shared = { ...loop, signal: sharedSignal(loop.signal) };
  await Promise.all(Array.from({ length: loop.concurrency ?? 1 }, () => workOneByOne(send, shared)));
}

async function workOneByOne(send: Send, loop: TaskLoop): Promise<void> {
  const { queues, leaseSeconds, signal } = loop;
  const body = { queues: queues ?? ["default"], lease_s: leaseSeconds ?? LEASE_SECONDS, wait: WAIT_SECONDS };
  for (let failures = 0; !signal.aborted;) {
    try {
      const startedMs = performance.now();
      const claimed = await send("POST /tasks/claim", { body, signal });
      failures = 0;
      if (claimed !== null) await work(send, loop, claimed);
      // An agent that is paused gets no answer that it has waited for.
      else if (performance.now() - startedMs < 1000) await wait(backoffMs(2), signal);
    } catch (error) {
      if (signal.aborted) return;
      loop.onError?.(error, null);
      await wait(backoffMs(++failures), signal);
    }
  }
}

type Claimed = { task: Task; lease: Lease };
type Beat = Routes["POST /tasks/{id}/heartbeat"]["answer"];
type Held = Claimed & {
  send: Send;
  loop: TaskLoop;
  over: AbortController;
  told: { progress?: number; status_message?: string };
};

async function work(send: Send, loop: TaskLoop, claimed: Claimed): Promise<void> {
  const over = new AbortController();
  const held: Held = { ...claimed, send, loop, over, told: {} };
  function end(): void {
    over.abort("stopping");
  }
  loop.signal.addEventListener("abort", end, { once: true });
  const beating = heartbeat(held);
  try {
    const call = await outcomeOf(held);
    over.abort("done");
    await beating;
    await settle(held, call);
  } catch (error) {
    if (!isRefusal(error, "lease_lost")) loop.onError?.(error, claimed.task);
  } finally {
    over.abort("done");
    loop.signal.removeEventListener("abort", end);
  }
}

type Settling = (token: { lease_token: string }) => Promise<unknown>;

async function outcomeOf({ task, lease, loop, over, told, send }: Held): Promise<Settling> {
  const { id } = task;
  const run: TaskRun = {
    attempt: lease.attempt,
    signal: over.signal,
    progress: (progress, message) =>
      Object.assign(told, { progress, ...(message && { status_message: message }) }),
  };
  try {
    const outcome = (await loop.handle(task, run)) ?? {};
    return (token) => send("POST /tasks/{id}/complete", { id, body: { ...token, ...outcome } });
  } catch (error) {
    // What ended the work tells what it comes to; nobody holds a lease that is lost.
    if (over.signal.reason === "stopping") return (body) => send("POST /tasks/{id}/release", { id, body });
    if (over.signal.reason === "canceled") return (body) => send("POST /tasks/{id}/cancel_ack", { id, body });
    if (over.signal.aborted) return async () => {};
    return (token) => send("POST /tasks/{id}/fail", { id, body: { ...token, error: failureOf(error) } });
  }
}

/** The lease answers a call that is sent again alike, so it is sent until it is known to have arrived. */
async function settle({ lease }: Held, call: Settling): Promise<void> {
  await call({ lease_token: lease.token });
}

async function heartbeat(held: Held): Promise<void> {
  const { task, lease, loop, over, send } = held;
  const everyMs = ((loop.leaseSeconds ?? LEASE_SECONDS) * 1000) / 3;
  for (;;) {
    await wait(everyMs, over.signal);
    if (over.signal.aborted) return;
    const body = { lease_token: lease.token, ...held.told };
    const beat = await send("POST /tasks/{id}/heartbeat", { id: task.id, body, signal: over.signal }).catch(
      (error: unknown) => error,
    );
    const reason = reasonToEnd(beat);
    if (reason !== null) over.abort(reason);
  }
}

function reasonToEnd(beat: unknown): string | null {
  if (beat instanceof ApiError) return "lost";
  if (beat instanceof Error || typeof beat !== "object" || beat === null) return null;
  // Anything else is the answer.
  return (beat as Beat).cancel_requested ? "canceled" : null;
}

function failureOf(error: unknown): Schemas["TaskFailure"]["error"] {
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
