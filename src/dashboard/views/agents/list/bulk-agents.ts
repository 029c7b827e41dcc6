import { type Bulk, type BulkAct, runMutation } from "../../../ui/table/bulk/bulk-act.ts";
import { CONTROL_ACTS, type ControlAct, listControlActs } from "../page/control-acts.ts";
import { SetControlState } from "../page/set-control-state.ts";
import type { ListedAgent } from "./agent-list-query.ts";

/** What can be done with several agents. */
export const BULK_AGENTS: Bulk<ListedAgent> = {
  getName: ({ name }) => name,
  acts: [control("pause", "paused"), control("resume", "resumed"), control("stop", "stopped")],
};

function control(act: ControlAct, done: string): BulkAct<ListedAgent> {
  const { label, to, atOnce, instruction } = CONTROL_ACTS[act];
  return {
    label,
    done,
    isDangerous: act === "stop",
    isPossible: ({ controlState }) => listControlActs(controlState).includes(act),
    consequences: [
      `For each: ${atOnce.charAt(0).toLowerCase()}${atOnce.slice(1)} This also applies while it is offline.`,
      `Each receives an urgent command to ${instruction}, those that are offline when they reconnect.`,
    ],
    run: (client, { id }, reason) => runMutation(client, SetControlState, { id, controlState: to, reason }),
  };
}
