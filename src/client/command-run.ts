import { ApiError } from "./api-error.ts";
import type { Schemas } from "./api-types.ts";
import type { CommandLoop } from "./commands.ts";
import type { Entry, Journal, Outcome } from "./journal.ts";
import type { Send } from "./request.ts";

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
type Refusal = { reject: string } | { deferSeconds: number; reason?: string };

/** Knows what to do about one type of commands. */
export type CommandHandler = {
  run: Run;
  /**
   * Called instead of `run` for a command that was begun when the process died: it finds out what came of
   * it, and brings it to its end. Without it such a command has failed, `unknown_outcome`.
   */
  recover?: Run;
  /** Says no, or not yet, to a command before it is begun; null for yes. */
  refuse?: (command: Command) => Refusal | null;
};

/** What commands are carried out with. */
export type Lane = { send: Send; journal: Journal; loop: CommandLoop };

/** Puts together what commands are carried out with. */
export function createLane(send: Send, journal: Journal, loop: CommandLoop): Lane {
  return { send, journal, loop };
}

/** Brings every command to its end that was begun in a life before this one. */
export async function recover(lane: Lane): Promise<void> {
  for (const entry of lane.journal.open()) {
    if (entry.state === "started") await finish(lane, entry.command, "recover");
    if (lane.loop.signal.aborted) return;
    await reportDone(lane, lane.journal.read(commandOf(entry).id));
  }
}

/** Carries out a command that was delivered, or answers it from the journal where it was delivered before. */
export async function carryOut(lane: Lane, command: Command): Promise<void> {
  const { journal, loop } = lane;
  const known = journal.read(command.id);
  if (known !== undefined) return answerAgain(lane, command, known);
  const handler = handlerOf(lane, command);
  if (handler === null) return reject(lane, command, `There is no handler for ${command.type}.`);
  const refusal = handler.refuse?.(command) ?? null;
  if (refusal !== null) return refuse(lane, command, refusal);
  await journal.write({ state: "started", command });
  if (!(await accept(lane, command)))
    return journal.write({ state: "reported", id: command.id, outcome: null });
  await finish(lane, command, "run");
  if (!loop.signal.aborted) await reportDone(lane, journal.read(command.id));
}

function handlerOf({ loop }: Lane, { type }: Command): CommandHandler | null {
  return Object.hasOwn(loop.handlers, type) ? (loop.handlers[type] ?? null) : null;
}

function commandOf(entry: Entry): { id: string } {
  return entry.state === "reported" ? entry : entry.command;
}

/** The service has not heard of it: it is told again, and nothing is done again. */
async function answerAgain(lane: Lane, command: Command, known: Entry): Promise<void> {
  await accept(lane, command);
  if (known.state === "done") await reportDone(lane, known);
  if (known.state === "reported" && known.outcome !== null) await report(lane, command.id, known.outcome);
}

async function reject(lane: Lane, { id }: Command, reason: string): Promise<void> {
  await tell(() => lane.send("POST /agent_commands/{id}/ack", { id, body: { outcome: "rejected", reason } }));
}

async function refuse(lane: Lane, command: Command, refusal: Refusal): Promise<void> {
  if ("reject" in refusal) return reject(lane, command, refusal.reject);
  const { deferSeconds, reason } = refusal;
  const body = { outcome: "deferred", retry_after_s: deferSeconds, ...(reason && { reason }) } as const;
  await tell(() => lane.send("POST /agent_commands/{id}/ack", { id: command.id, body }));
}

/** @returns whether the service wants it to be carried out. */
async function accept({ send, loop }: Lane, { id }: Command): Promise<boolean> {
  const { signal } = loop;
  return tell(() => send("POST /agent_commands/{id}/ack", { id, body: { outcome: "accepted" }, signal }));
}

/** Where the loop ends meanwhile the command stays begun: what stopped it may have had an effect. */
async function finish(lane: Lane, command: Command, how: "run" | "recover"): Promise<void> {
  const { journal, loop } = lane;
  const over = new AbortController();
  const end = () => over.abort();
  loop.signal.addEventListener("abort", end, { once: true });
  try {
    const outcome = await outcomeOf(lane, command, { how, over });
    if (outcome !== null) await journal.write({ state: "done", command, outcome });
  } finally {
    loop.signal.removeEventListener("abort", end);
  }
}

async function outcomeOf(
  lane: Lane,
  command: Command,
  { how, over }: { how: "run" | "recover"; over: AbortController },
): Promise<Outcome | null> {
  const handler = handlerOf(lane, command);
  const work = handler?.[how];
  if (work === undefined)
    return failed("unknown_outcome", "The agent died while it carried the command out.");
  const run: CommandRun = {
    signal: over.signal,
    progress: (progress, detail) =>
      tellProgress(lane, command, { over, body: { progress, ...(detail && { detail }) } }),
  };
  try {
    return { status: "succeeded", result: (await work(command, run)) ?? null };
  } catch (error) {
    if (lane.loop.signal.aborted) return null;
    lane.loop.onError?.(error, command);
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    return failed(typeof code === "string" ? code : "agent_error", String(message ?? error));
  }
}

function failed(code: string, message: string): Outcome {
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
    await send("POST /agent_commands/{id}/progress", { id, body, signal: over.signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) over.abort();
  }
}

async function reportDone(lane: Lane, entry: Entry | undefined): Promise<void> {
  if (entry?.state !== "done") return;
  const { command, outcome } = entry;
  if (!(await report(lane, command.id, outcome))) return;
  await lane.journal.write({ state: "reported", id: command.id, outcome });
}

/** @returns false where the command has to be delivered again before its outcome can be told. */
async function report({ send, loop }: Lane, id: string, outcome: Outcome): Promise<boolean> {
  const { signal } = loop;
  try {
    await send("POST /agent_commands/{id}/result", { id, body: outcome, signal });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { current_status: status } = error.problem;
    if (status === "delivered" || status === "queued") return reportAccepted({ send, loop }, id, outcome);
    loop.onError?.(error, null);
    return true;
  }
}

/** The process died before the service heard that the command was accepted. */
async function reportAccepted(
  { send, loop }: Pick<Lane, "send" | "loop">,
  id: string,
  outcome: Outcome,
): Promise<boolean> {
  const { signal } = loop;
  if (
    !(await tell(() => send("POST /agent_commands/{id}/ack", { id, body: { outcome: "accepted" }, signal })))
  )
    return false;
  return tell(() => send("POST /agent_commands/{id}/result", { id, body: outcome, signal }));
}

/** @returns whether the service took it. */
async function tell(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
