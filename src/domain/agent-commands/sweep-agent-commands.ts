import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Services } from "../context.ts";
import { type Appended, append } from "../events.ts";
import { undoSteering } from "../missions/undo-steering.ts";
import { sweepWorkspaces } from "../sweep-workspaces.ts";
import { overdueMove } from "./command-moves.ts";
import { moveAgentCommand } from "./move-agent-command.ts";

/** Rows of one transaction: nobody waits long for the workspace's head. */
const BATCH = 100;

const DUE_WORKSPACES = `
SELECT DISTINCT workspace_id AS id FROM agent_command WHERE next_deadline_at <= COALESCE($1::timestamptz, now())`;

const LOCK_DUE = `
SELECT ${selectList("c", TABLES.agentCommand)}, at.now AS "$now"
FROM agent_command c, (SELECT date_trunc('milliseconds', COALESCE($2::timestamptz, now())) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.next_deadline_at <= at.now
ORDER BY c.next_deadline_at LIMIT ${BATCH} FOR NO KEY UPDATE OF c SKIP LOCKED`;

/**
 * Works the deadlines of commands: what was not acknowledged in time is delivered again, at most ten times;
 * what was not delivered in time expires; what brought no result in time has timed out. Any number of nodes
 * may sweep at once.
 *
 * @returns how many commands were moved.
 */
export async function sweepAgentCommands(services: Services, now: Date | null = null): Promise<number> {
  return sweepWorkspaces(services, now, { due: DUE_WORKSPACES, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  const moved = await moveDue(ctx);
  for (const command of moved) await undoSteering(ctx, command);
  return moved.length;
}

async function moveDue(ctx: Ctx): Promise<AgentCommand[]> {
  return ctx.transaction(async (tx) => {
    const due = await tx.db.$queryRawUnsafe<(AgentCommand & { $now: Date })[]>(
      LOCK_DUE,
      ctx.workspaceId,
      ctx.now,
    );
    const all: Required<Pick<Appended, "events" | "totals">> = { events: [], totals: [] };
    const moved: AgentCommand[] = [];
    for (const { $now: now, ...command } of due) {
      const locked = { command, now };
      const { command: after, appended } = await moveAgentCommand(tx, locked, overdueMove(locked));
      moved.push(after);
      all.events.push(...appended.events);
      all.totals.push(...appended.totals);
    }
    if (due.length > 0) await append(tx, all);
    return moved;
  });
}
