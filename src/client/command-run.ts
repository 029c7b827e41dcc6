import { isGone, isUnfit } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { asJson } from "./as-json.ts";
import type { JournalEntry, Journal, CommandOutcome } from "./journal.ts";
import type { TaskContext } from "./tasks.ts";
import { type TraceContext, runWithin, toTraceContext } from "./trace-context.ts";

type Command = Schemas["AgentCommand"];

/** Passed to command handlers. */
export type CommandRun = TraceContext & {
  /** Aborted when the work is no longer needed: the command has ended, or the loop is stopping. */
  signal: AbortSignal;
  /** Reports progress. Never fails. */
  progress: (progress: number, detail?: string) => Promise<void>;
};

/** Executes a command. Its return value, as JSON, is the result. If it throws, the command fails with the error's `code`. */
type Run = (command: Command, run: CommandRun) => Promise<unknown>;

/** A decision not to execute a command now. */
type Deviation = { reject: string } | { deferSeconds: number; reason?: string };

/** Handles one type of command. */
export type CommandHandler = {
  run: Run;
  /**
   * Called instead of `run` for a command that may already have been executed, because the process crashed or the
   * journal or service failed. It should find out what happened and finish the command. Without it, the command fails
   * with `unknown_outcome`.
   */
  recover?: Run;
  /** Rejects or defers a command before it is started. Null accepts it. */
  refuse?: (command: Command) => Deviation | null;
};

export type CommandLoop = {
  /** Path of the journal file. Use one per agent and keep it across restarts. */
  journal: string;
  /** By type, such as `agent.pause`. Other types are rejected, except `task.cancel`, which needs no handler. */
  handlers: Record<string, CommandHandler>;
  /** Called with errors that don't stop the loop. Default: logged. */
  onError?: (error: unknown, command: Schemas["AgentCommand"] | null) => void;
  signal: AbortSignal;
};

/** State for the commands of one priority, which are executed one at a time. */
export type Lane = TaskContext & { journal: Journal; loop: CommandLoop; priority: Command["priority"] };

/** Cancels a task that the agent holds. */
const CANCEL = "task.cancel";

/** The task's own loop acknowledges the cancellation. */
const CANCELED: CommandHandler = { run: async () => null, recover: async () => null };

/** Finishes all started commands, after a crash or an error. */
export async function recover(lane: Lane): Promise<void> {
  for (const entry of lane.journal.open()) {
    if (entry.command.priority !== lane.priority) continue;
    if (entry.state === "started") await finish(lane, entry.command, "recover");
    if (lane.loop.signal.aborted) return;
    await reportDone(lane, lane.journal.read(entry.command.id));
  }
}

/** Executes a delivered command. If it was delivered before, repeats the response from the journal. */
export async function carryOut(lane: Lane, command: Command): Promise<void> {
  const { journal, loop } = lane;
  // First, because the task's work is no longer needed.
  if (command.type === CANCEL && command.task_id !== null) lane.held.cancel(command.task_id);
  const known = journal.read(command.id);
  if (known !== undefined && wasBegun(known)) return repeatAnswer(lane, command, known);
  const handler = findHandler(lane, command);
  if (handler === null) return reject(lane, command, `No handler for ${command.type}.`);
  const deviation = handler.refuse?.(command) ?? null;
  if (deviation !== null) return refuse(lane, command, deviation);
  await journal.write({ state: "started", command });
  if (!(await accept(lane, command)))
    return journal.write({ state: "reported", id: command.id, outcome: null });
  await finish(lane, command, "run");
  if (!loop.signal.aborted) await reportDone(lane, journal.read(command.id));
}

function findHandler({ loop }: Lane, { type }: Command): CommandHandler | null {
  const own = Object.hasOwn(loop.handlers, type) ? loop.handlers[type] : undefined;
  return own ?? (type === CANCEL ? CANCELED : null);
}

/** False if the service no longer wanted the command when it was about to start. */
function wasBegun(entry: JournalEntry): boolean {
  return entry.state !== "reported" || entry.outcome !== null;
}

/** Repeats a response that the service hasn't received, without executing anything again. */
async function repeatAnswer(lane: Lane, command: Command, known: JournalEntry): Promise<void> {
  await accept(lane, command);
  if (known.state === "done") await reportDone(lane, known);
  if (known.state === "reported" && known.outcome !== null) await report(lane, command.id, known.outcome);
}

async function reject(lane: Lane, command: Command, reason: string): Promise<void> {
  await acknowledge(lane, command, { outcome: "rejected", reason });
}

async function refuse(lane: Lane, command: Command, deviation: Deviation): Promise<void> {
  if ("reject" in deviation) return reject(lane, command, deviation.reject);
  const { deferSeconds, reason } = deviation;
  await acknowledge(lane, command, {
    outcome: "deferred",
    retry_after_s: deferSeconds,
    ...(reason && { reason }),
  });
}

/** @returns whether the service still wants the command to be executed. */
async function accept(lane: Lane, command: { id: string }): Promise<boolean> {
  return acknowledge(lane, command, { outcome: "accepted" });
}

async function acknowledge(
  { send, loop }: Lane,
  { id }: { id: string },
  body: Schemas["AgentCommandAcknowledgement"],
): Promise<boolean> {
  return isAccepted(send("POST /agent_commands/{id}/ack", { id, body, signal: loop.signal }));
}

/** If the loop stops meanwhile, the command stays started: it may already have had an effect. */
async function finish(lane: Lane, command: Command, how: "run" | "recover"): Promise<void> {
  const { journal, loop } = lane;
  const over = new AbortController();
  function end(): void {
    over.abort();
  }
  loop.signal.addEventListener("abort", end, { once: true });
  try {
    const outcome = await runHandler(lane, command, { how, over });
    if (outcome !== null) await journal.write({ state: "done", command, outcome });
  } finally {
    loop.signal.removeEventListener("abort", end);
  }
}

async function runHandler(
  lane: Lane,
  command: Command,
  { how, over }: { how: "run" | "recover"; over: AbortController },
): Promise<CommandOutcome | null> {
  const handler = findHandler(lane, command);
  const work = handler?.[how];
  if (work === undefined)
    return toFailure("unknown_outcome", "The agent stopped while executing the command.");
  const run: CommandRun = {
    ...toTraceContext(command.traceparent),
    signal: over.signal,
    progress: (progress, detail) =>
      tellProgress(lane, command, { over, body: { progress, ...(detail && { detail }) } }),
  };
  try {
    return {
      status: "succeeded",
      result: asJson(await runWithin(run.traceparent, () => work(command, run))),
    };
  } catch (error) {
    if (lane.loop.signal.aborted) return null;
    lane.loop.onError?.(error, command);
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    return toFailure(typeof code === "string" ? code : "agent_error", String(message ?? error));
  }
}

function toFailure(code: string, message: string): CommandOutcome {
  const error = {
    code: code.slice(0, 64) || "agent_error",
    message: message.slice(0, 2000) || "The command failed.",
  };
  return { status: "failed", error };
}

/** Reports progress. Aborts the work if the command has ended, for example by being canceled. */
async function tellProgress(
  { send }: Lane,
  { id }: Command,
  { over, body }: { over: AbortController; body: { progress: number; detail?: string } },
): Promise<void> {
  try {
    await send("POST /agent_commands/{id}/progress", { id, body, signal: over.signal, again: false });
  } catch (error) {
    if (isGone(error)) over.abort();
  }
}

async function reportDone(lane: Lane, entry: JournalEntry | undefined): Promise<void> {
  if (entry?.state !== "done") return;
  const { command, outcome } = entry;
  if (!(await report(lane, command.id, outcome))) return;
  await lane.journal.write({ state: "reported", id: command.id, outcome });
}

/** Reported instead of a result that the service rejects, so that later commands don't wait forever. */
const UNFIT = toFailure("unfit_outcome", "The service rejected the command's result.");

/** @returns false if the command has to be delivered again before its result can be reported. */
async function report(lane: Lane, id: string, outcome: CommandOutcome): Promise<boolean> {
  const { send, loop } = lane;
  function result(): Promise<unknown> {
    return send("POST /agent_commands/{id}/result", { id, body: outcome, signal: loop.signal });
  }
  try {
    await result();
    return true;
  } catch (error) {
    const isRejected = isUnfit(error);
    if (!isRejected && !isGone(error)) throw error;
    const { current_status: status } = error.problem;
    // The process crashed before the service received the acknowledgement.
    if (status === "delivered" || status === "queued")
      return (await accept(lane, { id })) && isAccepted(result());
    loop.onError?.(error, null);
    return !isRejected || outcome === UNFIT || report(lane, id, UNFIT);
  }
}

/** Whether the service accepted the report. False if the command has moved on. */
async function isAccepted(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
