import { isStopped } from "../../domain/stops/is-stopped.ts";
import { readStopStates } from "../../domain/stops/read-stop-states.ts";
import { STOP_STATES, type StopState } from "../../domain/stops/stop-state.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { addEnum, toEnumValues } from "../enum.ts";

export const StopStateEnum = addEnum(
  "StopState",
  toEnumValues(STOP_STATES),
  "Whether an agent has confirmed the emergency stop. CONFIRMED: it acknowledged every command of " +
    "the stop, and none has failed since. UNREACHABLE: it has not confirmed, and is offline (not seen " +
    "for a minute) or one of the commands expired, failed, timed out, or was rejected or canceled. " +
    "PENDING: it is online and has not confirmed yet.",
);

/**
 * Whether an emergency stop is active in the caller's workspace, by the workspace's id. Read once per
 * answer.
 */
export const loadIsStopped = createBatchLoader<boolean>(
  async (ctx) => new Map([[ctx.workspaceId, await isStopped(ctx)]]),
);

/** One agent's state towards the emergency stop. Read for all agents of an answer at once. */
export const loadStopState = createBatchLoader<StopState>(readStopStates);
