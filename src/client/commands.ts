import { isFinal } from "./api-error.ts";
import { type CommandLoop, type Lane, carryOut, recover } from "./command-run.ts";
import { openJournal } from "./journal.ts";
import type { TaskContext } from "./tasks.ts";
import { backoffMs, runTogether, wait } from "./wait.ts";

const WAIT_SECONDS = 25;

/**
 * Carries out an agent's commands until the signal is given: normal ones one after the other in their
 * order, and beside them urgent ones in theirs.
 *
 * Each is in the journal before anything is done for it, and its outcome before it is reported. So after a
 * crash it is known of every command whether it was begun: one that was is handed to its handler's
 * `recover`, and without one is reported failed, `unknown_outcome`, and never run again.
 *
 * `task.cancel` ends the work on the task by its signal, and needs no handler.
 *
 * @throws {Error} where the journal can't be opened.
 * @throws {ApiError} where the service lets the client do nothing more; the message says what helps.
 */
export async function handleCommands(shop: TaskContext, loop: CommandLoop): Promise<void> {
  const journal = await openJournal(loop.journal);
  const leave = shop.held.listen();
  try {
    const lanes = (["urgent", "normal"] as const).map(
      (priority) => (signal: AbortSignal) =>
        follow({ ...shop, journal, loop: { ...loop, signal }, priority }),
    );
    await runTogether(loop.signal, lanes);
  } finally {
    leave();
    await journal.close();
  }
}

/**
 * The first time, and whenever something has failed, what was begun is brought to its end, and what was
 * delivered before is asked for too: its answer may have been lost.
 */
async function follow(lane: Lane): Promise<void> {
  const { send, loop, priority } = lane;
  let isSure = false;
  for (let failures = 0; !loop.signal.aborted;) {
    try {
      if (!isSure) await recover(lane);
      const query = { wait: WAIT_SECONDS, priority, redeliver: isSure ? "false" : "true" } as const;
      isSure = false;
      const answer = await send("GET /agent_commands/next", { query, signal: loop.signal, again: false });
      for (const command of answer?.agent_commands ?? []) await carryOut(lane, command);
      isSure = true;
      failures = 0;
    } catch (error) {
      if (isFinal(error)) throw error;
      if (loop.signal.aborted) return;
      loop.onError?.(error, null);
      await wait(backoffMs(++failures), loop.signal);
    }
  }
}
