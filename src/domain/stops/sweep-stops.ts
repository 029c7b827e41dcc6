import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { sendNextCommands } from "./send-stop-commands.ts";

const UNSENT = `
SELECT workspace_id, id FROM stop WHERE NOT sent
UNION SELECT workspace_id, stop_id FROM resumed_agent WHERE NOT sent`;

/** The workspaces that have some. */
export const STOPS_UNSENT = sql<{ id: string }>`SELECT DISTINCT u.workspace_id AS id FROM (${UNSENT}) u`;

const DUE_STOPS = sql<{ id: string }>`
SELECT u.id FROM (${UNSENT}) u WHERE u.workspace_id = $1::uuid ORDER BY u.id`;

/** Sends the commands of stops, stages and releases whose call was interrupted before every agent was sent one. */
export async function sweepStops(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<void> {
  await sweepWorkspaces(
    services,
    { now, turns },
    { due: STOPS_UNSENT, actor: "emergency stop", batch: sendNext },
  );
}

async function sendNext(ctx: Ctx): Promise<number> {
  const stops = await ctx.read(DUE_STOPS, [ctx.workspaceId]);
  for (const { id } of stops) if (await sendNextCommands(ctx, id)) return 1;
  return 0;
}
