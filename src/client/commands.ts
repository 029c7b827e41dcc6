import { type CommandLoop, type Lane, carryOut, recover } from "./command-run.ts";
import { openJournal } from "./journal.ts";
import type { Send } from "./request.ts";
import { backoffMs, wait } from "./wait.ts";

const WAIT_SECONDS = 25;

/**
 * Carries out an agent's commands until the signal is given: normal ones one after the other in their
 * order, and beside them urgent ones in theirs.
 *
 * Each is in the journal before anything is done for it, and its outcome before it is reported. So after a
 * crash it is known of every command whether it was begun: one that was is handed to its handler's
 * `recover`, and without one is reported failed, `unknown_outcome`, and never run again.
 *
 * @throws {Error} where the journal can't be opened.
 */
export async function handleCommands(send: Send, loop: CommandLoop): Promise<void> {
  const journal = await openJournal(loop.journal);
  const lane: Lane = { send, journal, loop };
  try {
    await untilEnded(lane, async () => {
      await recover(lane);
      return "done";
    });
    await Promise.all([follow(lane, "urgent"), follow(lane, "normal")]);
  } finally {
    await journal.close();
  }
}

/** The first time, and whenever an answer may have been lost, it also asks for what was delivered before. */
async function follow(lane: Lane, priority: "normal" | "urgent"): Promise<void> {
  const { send, loop } = lane;
  let redeliver: "true" | "false" = "true";
  await untilEnded(lane, async () => {
    const query = { wait: WAIT_SECONDS, priority, redeliver };
    redeliver = "true";
    const answer = await send("GET /agent_commands/next", { query, signal: loop.signal, again: false });
    redeliver = "false";
    for (const command of answer?.agent_commands ?? []) await carryOut(lane, command);
    return "again";
  });
}

/** Does the same again and again, after a failure with more and more time between. */
async function untilEnded({ loop }: Lane, once: () => Promise<"again" | "done">): Promise<void> {
  const { signal, onError } = loop;
  for (let failures = 0; !signal.aborted;) {
    try {
      if ((await once()) === "done") return;
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error, null);
      await wait(backoffMs(++failures), signal);
    }
  }
}
