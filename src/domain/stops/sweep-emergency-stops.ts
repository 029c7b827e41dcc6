import { NOW, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/context.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { continueEmergencyStop } from "./emergency-stop.ts";

/** Long enough for the call that stopped the agents, and not looked for forever. */
const AGE = { from: "interval '10 seconds'", to: "interval '1 hour'" };

const DUE_WORKSPACES = sql<{ id: string }>`
SELECT w.id FROM workspace w
WHERE w.emergency_stop_at BETWEEN ${NOW} - ${AGE.to} AND ${NOW} - ${AGE.from} AND EXISTS (
  SELECT FROM agent a
  WHERE a.workspace_id = w.id AND a.archived_at IS NULL AND a.created_at <= w.emergency_stop_at AND NOT EXISTS (
    SELECT FROM agent_command c
    WHERE c.workspace_id = w.id AND c.batch_id = w.emergency_stop_id AND c.agent_id = a.id))`;

/** Continues emergency stops whose call was interrupted before every agent was sent the command. */
export async function sweepEmergencyStops(services: Services, now: Date | null = null): Promise<void> {
  await sweepWorkspaces(services, now, {
    ...{ due: DUE_WORKSPACES, actor: "emergency stop" },
    batch: async (ctx) => {
      await continueEmergencyStop(ctx);
      return 0;
    },
  });
}
