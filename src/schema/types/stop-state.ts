import { isStopped } from "../../domain/stops/is-stopped.ts";
import { readStopStates } from "../../domain/stops/read-stop-states.ts";
import { STOP_STATES, type StopState } from "../../domain/stops/stop-state.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { addEnum, toEnumValues } from "../enum.ts";

/** What is known of an agent that the emergency stop told to stop. */
export const StopStateEnum = addEnum(
  "StopState",
  toEnumValues(STOP_STATES),
  "Whether an agent has confirmed the emergency stop. CONFIRMED: it acknowledged every command of the stop, and none failed since. UNREACHABLE: it has not confirmed, and is not online (not seen for a minute) or one of the commands ended otherwise: expired, rejected, failed, timed out, canceled. PENDING: it is online, and its confirmation is waited for.",
);

/** Reads whether an emergency stop stands in the caller's workspace, by its id; one answer reads it once. */
export const loadIsStopped = createBatchLoader<boolean>(
  async (ctx) => new Map([[ctx.workspaceId, await isStopped(ctx)]]),
);

/** Reads how one agent stands to the emergency stop; the agents of one answer share the read. */
export const loadStopState = createBatchLoader<StopState>(readStopStates);
