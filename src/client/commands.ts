import { isFinal } from "./api-error.ts";
import { type CommandLoop, type Lane, carryOut, recover } from "./command-run.ts";
import { openJournal } from "./journal.ts";
import type { TaskContext } from "./tasks.ts";
import { backoffMs, runTogether, wait } from "./wait.ts";

const WAIT_SECONDS = 25;

/**
 * Executes an agent's commands until the signal is aborted. Normal commands run one at a time in order; urgent ones
 * do the same in parallel.
 *
 * A command is written to the journal before it is started, and its result before it is reported. After a crash,
 * every started command is therefore known: it is passed to its handler's `recover`, or without one fails with
 * `unknown_outcome`. It is never run again.
 *
 * `task.cancel` aborts the task's signal and needs no handler.
 *
 * @throws {Error} if the journal can't be opened.
 * @throws {ApiError} if the client can't continue. The message says what to do.
 */
export async function handleCommands(context: TaskContext, loop: CommandLoop): Promise<void> {
  const journal = await openJournal(loop.journal);
  const leave = context.held.listen();
  try {
    const lanes = (["urgent", "normal"] as const).map(
      (priority) => (signal: AbortSignal) =>
        follow({ ...context, journal, loop: { ...loop, signal }, priority }),
    );
    await runTogether(loop.signal, lanes);
  } finally {
    leave();
    await journal.close();
  }
}

/**
 * At the start and after each error, finishes started commands and also requests commands delivered before, because
 * the response may have been lost.
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
