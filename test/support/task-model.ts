import type { TaskStatus } from "../../src/db/generated/enums.ts";

/** The model of a task, with times in seconds since the start. */
export type ModelTask = {
  status: TaskStatus;
  attempt: number;
  maxAttempts: number;
  readyAt: number;
  leaseUntil: number | null;
  inputUntil: number | null;
  cancelAt: number | null;
  holder: number | null;
  /** The number of its current or last lease. */
  lease: number | null;
  settledBy: HolderAct | null;
  question: "none" | "open" | "answered";
};

/** The model of a workspace: tasks in order of creation, the time, and the number of restarts. */
export type Model = { now: number; tasks: ModelTask[]; leases: number; restarts: number };

/** The holder's actions that change the task's status. */
export type HolderAct = "complete" | "fail" | "failForGood" | "release" | "reject" | "acknowledgeCancel";

/** A task, and the lease used for it. */
type OnLease = { task: ModelTask; lease: number };

/** The error code, or "". */
type Code = "" | "lease_lost" | "invalid_state";

const LEASE = 60;
const INPUT = 120;

/** A new task. */
export function newModelTask(now: number, maxAttempts: number): ModelTask {
  return {
    status: "submitted",
    attempt: 0,
    maxAttempts,
    readyAt: now,
    leaseUntil: null,
    inputUntil: null,
    cancelAt: null,
    holder: null,
    lease: null,
    settledBy: null,
    question: "none",
  };
}

/** A worker claims. @returns the index of its task, or null. */
export function modelClaim(model: Model, worker: number): number | null {
  const ready = model.tasks
    .map((task, place) => ({ task, place }))
    .filter(({ task }) => task.status === "submitted" && task.readyAt <= model.now)
    .toSorted((a, b) => a.task.readyAt - b.task.readyAt || a.place - b.place);
  const [next] = ready;
  if (next === undefined) return null;
  Object.assign(next.task, {
    status: "working",
    attempt: next.task.attempt + 1,
    holder: worker,
    lease: model.leases++,
    leaseUntil: model.now + LEASE,
    settledBy: null,
  });
  return next.place;
}

/** Why a call with a lease is rejected, or "replay" if it was made before. */
function judge(model: Model, { task, lease }: OnLease, act: HolderAct | "ask"): Code | "replay" {
  if (task.lease !== lease) return "lease_lost";
  if (task.settledBy === act) return "replay";
  if (task.status === "submitted") return "lease_lost";
  const isForWorking = act === "complete" || act === "ask";
  const allowed = isForWorking ? ["working"] : ["working", "input_required"];
  if (!allowed.includes(task.status)) return "invalid_state";
  if (task.status === "working" && (task.leaseUntil ?? 0) <= model.now) return "lease_lost";
  const isAsked = task.cancelAt !== null;
  if ((act === "ask" && isAsked) || (act === "acknowledgeCancel" && !isAsked)) return "invalid_state";
  return "";
}

/** A lease's holder ends its work. */
export function modelSettle(model: Model, on: OnLease, act: HolderAct): Code {
  const { task } = on;
  const code = judge(model, on, act);
  if (code === "replay") return "";
  if (code !== "") return code;
  task.settledBy = act;
  if (act === "complete") end(task, "completed");
  if (act === "reject") end(task, "rejected");
  if (act === "acknowledgeCancel") end(task, "canceled");
  if (act === "failForGood" || (act === "fail" && task.attempt >= task.maxAttempts)) end(task, "failed");
  else if (act === "fail") requeue(task, model.now + Math.min(2 ** task.attempt, 300));
  if (act === "release") {
    if (task.cancelAt === null) task.attempt--;
    requeue(task, task.readyAt);
  }
  return "";
}

/** A lease's holder asks a question. */
export function modelAsk(model: Model, on: OnLease): Code {
  const { task } = on;
  const code = judge(model, on, "ask");
  if (code !== "" && code !== "replay") return code;
  Object.assign(task, {
    status: "input_required",
    leaseUntil: null,
    inputUntil: model.now + INPUT,
    question: "open",
  });
  return "";
}

/** A user answers a task's last question. */
export function modelTaskAnswer(model: Model, task: ModelTask): Code {
  if (task.question === "answered") return "invalid_state";
  task.question = "answered";
  if (task.status !== "input_required") return "";
  Object.assign(task, { status: "working", leaseUntil: model.now + LEASE, inputUntil: null });
  return "";
}

/** A holder sends a heartbeat. */
export function modelHeartbeat(model: Model, { task, lease }: OnLease): Code {
  if (task.lease !== lease || task.status === "submitted") return "lease_lost";
  if (task.status === "input_required") return "";
  if (task.status !== "working") return "invalid_state";
  if ((task.leaseUntil ?? 0) <= model.now) return "lease_lost";
  task.leaseUntil = model.now + LEASE;
  return "";
}

/** An operator cancels. */
export function modelCancel(model: Model, task: ModelTask): Code {
  if (task.status === "canceled") return "";
  if (task.status === "submitted") end(task, "canceled");
  else if (!isHeldBy(task)) return "invalid_state";
  else task.cancelAt ??= model.now;
  return "";
}

/** Processes deadlines. */
export function modelTaskSweep({ now, tasks }: Model): void {
  for (const task of tasks.filter(isHeldBy)) {
    const isOut = task.status === "working" && (task.leaseUntil ?? 0) <= now;
    if (task.cancelAt !== null && task.cancelAt + 30 <= now) end(task, "canceled");
    else if (task.inputUntil !== null && task.inputUntil <= now) end(task, "failed");
    else if (isOut && task.cancelAt === null && task.attempt >= task.maxAttempts) end(task, "failed");
    else if (isOut) {
      requeue(task, task.readyAt);
      task.lease = null;
    }
  }
}

function isHeldBy({ status }: ModelTask): boolean {
  return status === "working" || status === "input_required";
}

function end(task: ModelTask, status: TaskStatus): void {
  Object.assign(task, { status, leaseUntil: null, inputUntil: null });
}

function requeue(task: ModelTask, readyAt: number): void {
  if (task.cancelAt !== null) end(task, "canceled");
  else
    Object.assign(task, { status: "submitted", holder: null, leaseUntil: null, inputUntil: null, readyAt });
}
