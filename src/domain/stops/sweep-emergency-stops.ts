import { NOW, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/context.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { continueEmergencyStop } from "./emergency-stop.ts";

/** Leaves the call that stopped the agents time to send all commands itself. */
const GRACE = "interval '10 seconds'";

/** Commands are sent in the order of the agents' ids: all were sent if the last one was. */
const DUE_WORKSPACES = sql<{ id: string }>`
SELECT w.id FROM workspace w CROSS JOIN LATERAL (
  SELECT a.id FROM agent a
  WHERE a.workspace_id = w.id AND a.archived_at IS NULL AND a.created_at <= w.emergency_stop_at
  ORDER BY a.id DESC LIMIT 1
) last
WHERE w.emergency_stop_at <= ${NOW} - ${GRACE} AND NOT EXISTS (
  SELECT FROM agent_command c
  WHERE c.workspace_id = w.id AND c.batch_id = w.emergency_stop_id AND c.agent_id = last.id)`;

/** Continues emergency stops whose call was interrupted before every agent was sent the command. */
export async function sweepEmergencyStops(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<void> {
  await sweepWorkspaces(
    services,
    { now, turns },
    {
      ...{ due: DUE_WORKSPACES, actor: "emergency stop" },
      batch: async (ctx) => {
        await continueEmergencyStop(ctx);
        return 0;
      },
    },
  );
}
