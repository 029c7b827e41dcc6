import type { Schemas } from "./api-types.ts";
import { type CommandHandler, type Lane, carryOut, createLane, recover } from "./command-run.ts";
import { openJournal } from "./journal.ts";
import type { Send } from "./request.ts";
import { backoffMs, wait } from "./wait.ts";

/** How an agent's commands are carried out. */
export type CommandLoop = {
  /** The journal's file. One for each agent, kept across restarts. */
  journal: string;
  /** By type, such as `agent.pause`. Commands of other types are rejected. */
  handlers: Record<string, CommandHandler>;
  /** Told of what went wrong on the way; the loop goes on. */
  onError?: (error: unknown, command: Schemas["AgentCommand"] | null) => void;
  signal: AbortSignal;
};

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
  try {
    const lane = createLane(send, journal, loop);
    await recover(lane);
    await Promise.all([follow(lane, "urgent"), follow(lane, "normal")]);
  } finally {
    await journal.close();
  }
}

/** The first time it also asks for what was delivered to a life before this one. */
async function follow(lane: Lane, priority: "normal" | "urgent"): Promise<void> {
  const { send, loop } = lane;
  const { signal } = loop;
  let redeliver: "true" | "false" = "true";
  for (let failures = 0; !signal.aborted;) {
    try {
      const query = { wait: WAIT_SECONDS, priority, redeliver };
      const answer = await send("GET /agent_commands/next", { query, signal });
      redeliver = "false";
      for (const command of answer?.agent_commands ?? []) await carryOut(lane, command);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      loop.onError?.(error, null);
      // An answer that was lost on its way had something in it, perhaps.
      redeliver = "true";
      await wait(backoffMs(++failures), signal);
    }
  }
}
