import type { ControlState } from "../../db/generated/enums.ts";
import { readStopOfAll } from "../../domain/stops/list-stops.ts";
import { readControlStates } from "../../domain/stops/read-control-states.ts";
import { readStopStates } from "../../domain/stops/read-stop-states.ts";
import type { Stop } from "../../domain/stops/stop.ts";
import { STOP_STATES, type StopState } from "../../domain/stops/stop-state.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { addEnum, toEnumValues } from "../enum.ts";

export const StopStateEnum = addEnum(
  "StopState",
  toEnumValues(STOP_STATES),
  "Whether an agent has confirmed the stops that cover it. CONFIRMED: it acknowledged every command of " +
    "them, and none has failed since. UNREACHABLE: it has not confirmed, and is offline (not seen " +
    "for a minute) or one of the commands expired, failed, timed out, or was rejected or canceled. " +
    "PENDING: it is online and has not confirmed yet.",
);

/** The oldest stop of all agents in the caller's workspace, by the workspace's id. Read once per answer. */
export const loadStopOfAll = createBatchLoader<Stop | null>(
  async (ctx) => new Map([[ctx.workspaceId, await readStopOfAll(ctx)]]),
);

/** One agent's effective control state. Read for all agents of an answer at once. */
export const loadControlState = createBatchLoader<ControlState>(readControlStates);

/** One agent's state towards the stops that cover it. Read for all agents of an answer at once. */
export const loadStopState = createBatchLoader<StopState>(readStopStates);
