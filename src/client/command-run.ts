import { isGone, isUnfit } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import { asJson } from "./as-json.ts";
import type { JournalEntry, Journal, CommandOutcome } from "./journal.ts";
import type { TaskContext } from "./tasks.ts";

type Command = Schemas["AgentCommand"];

/** What a handler of commands may use while it works. */
export type CommandRun = {
  /** Given when the work is of no use any more: the command has ended, or the loop. */
  signal: AbortSignal;
  /** Tells how far the work is. Never fails. */
  progress: (progress: number, detail?: string) => Promise<void>;
};

/** Carries out a command. What it gives, as JSON, is the result; what it throws, with a `code`, the failure. */
type Run = (command: Command, run: CommandRun) => Promise<unknown>;

/** What is to be done with a command instead of carrying it out. */
type Deviation = { reject: string } | { deferSeconds: number; reason?: string };

/** Knows what to do about one type of commands. */
export type CommandHandler = {
  run: Run;
  /**
   * Called instead of `run` for a command that was begun when the process died, or its journal or the service
   * failed it: it finds out what came of it, and brings it to its end. Without it such a command has failed,
   * `unknown_outcome`.
   */
  recover?: Run;
  /** Says no, or not yet, to a command before it is begun; null for yes. */
  refuse?: (command: Command) => Deviation | null;
};

/** How an agent's commands are carried out. */
export type CommandLoop = {
  /** The journal's file. One for each agent, kept across restarts. */
  journal: string;
  /** By type, such as `agent.pause`. Commands of other types are rejected, but for `task.cancel`, which needs none. */
  handlers: Record<string, CommandHandler>;
  /** Told of what went wrong on the way, and the loop goes on; it is logged where this is left out. */
  onError?: (error: unknown, command: Schemas["AgentCommand"] | null) => void;
  signal: AbortSignal;
};

/** What the commands of one priority are carried out with, one after the other. */
export type Lane = TaskContext & { journal: Journal; loop: CommandLoop; priority: Command["priority"] };

/** Says that a task that the agent holds is canceled. */
const CANCEL = "task.cancel";

/** Who works on the task acknowledges the cancel itself. */
const CANCELED: CommandHandler = { run: async () => null, recover: async () => null };

/** Brings every command of the lane to its end that was begun, in a life before this one or before a failure. */
export async function recover(lane: Lane): Promise<void> {
  for (const entry of lane.journal.open()) {
    if (entry.command.priority !== lane.priority) continue;
    if (entry.state === "started") await finish(lane, entry.command, "recover");
    if (lane.loop.signal.aborted) return;
    await reportDone(lane, lane.journal.read(entry.command.id));
  }
}

/** Carries out a command that was delivered, or answers it from the journal where it was delivered before. */
export async function carryOut(lane: Lane, command: Command): Promise<void> {
  const { journal, loop } = lane;
  // Before anything is written: the work is of no use any more.
  if (command.type === CANCEL && command.task_id !== null) lane.held.cancel(command.task_id);
  const known = journal.read(command.id);
  if (known !== undefined && wasBegun(known)) return repeatAnswer(lane, command, known);
  const handler = findHandler(lane, command);
  if (handler === null) return reject(lane, command, `There is no handler for ${command.type}.`);
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

/** What the service did not want to be carried out when it was to be begun has no outcome. */
function wasBegun(entry: JournalEntry): boolean {
  return entry.state !== "reported" || entry.outcome !== null;
}

/** The service has not heard of it: it is told again, and nothing is done again. */
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

/** @returns whether the service wants it to be carried out. */
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

/** Where the loop ends meanwhile the command stays begun: what stopped it may have had an effect. */
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
    return toFailure("unknown_outcome", "The agent died while it carried the command out.");
  const run: CommandRun = {
    signal: over.signal,
    progress: (progress, detail) =>
      tellProgress(lane, command, { over, body: { progress, ...(detail && { detail }) } }),
  };
  try {
    return { status: "succeeded", result: asJson(await work(command, run)) };
  } catch (error) {
    if (lane.loop.signal.aborted) return null;
    lane.loop.onError?.(error, command);
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    return toFailure(typeof code === "string" ? code : "agent_error", String(message ?? error));
  }
}

function toFailure(code: string, message: string): CommandOutcome {
  const error = { code: code.slice(0, 64) || "agent_error", message: message.slice(0, 2000) || "It failed." };
  return { status: "failed", error };
}

/** A command that has ended meanwhile, because it was canceled perhaps, need not be carried out to its end. */
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

/** Told instead of an outcome that the service can't take: later commands would wait for it for ever. */
const UNFIT = toFailure("unfit_outcome", "The service does not take what came of the command.");

/** @returns false where the command has to be delivered again before its outcome can be told. */
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
    // The process died before the service heard that the command was accepted.
    if (status === "delivered" || status === "queued")
      return (await accept(lane, { id })) && isAccepted(result());
    loop.onError?.(error, null);
    return !isRejected || outcome === UNFIT || report(lane, id, UNFIT);
  }
}

/** Whether the service took what was told; not where the command is elsewhere by now. */
async function isAccepted(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
