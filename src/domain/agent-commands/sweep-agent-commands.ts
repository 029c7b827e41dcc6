import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { type EndedCommand, endSteering, isSteeringSql } from "../missions/undo-steering.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { buildOverdueMove } from "./command-moves.ts";
import { type LockedCommand, lockAgentCommand } from "./lock-agent-command.ts";
import { moveAgentCommand } from "./move-agent-command.ts";

/** Rows per transaction: few, because the workspace's head is locked meanwhile. */
const BATCH = 100;

/** The workspaces that have some. */
export const COMMANDS_DUE = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM agent_command WHERE next_deadline_at <= ${NOW}`;

const LOCK_DUE = sql<AgentCommand & { $now: Date }>`
SELECT ${selectList("c", TABLES.agentCommand)}, at.now AS "$now"
FROM agent_command c, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE c.workspace_id = $1::uuid AND c.next_deadline_at <= at.now AND NOT (${isSteeringSql("c")})
ORDER BY c.next_deadline_at LIMIT ${BATCH} FOR NO KEY UPDATE OF c SKIP LOCKED`;

const DUE_STEERING = sql<{ id: string; missionId: string }>`
SELECT c.id, c.mission_id AS "missionId" FROM agent_command c
WHERE c.workspace_id = $1::uuid AND c.next_deadline_at <= ${NOW} AND ${isSteeringSql("c")}
ORDER BY c.next_deadline_at LIMIT ${BATCH}`;

/**
 * Handles the deadlines of commands: redelivers those not acknowledged in time, at most ten times; expires
 * those not delivered in time; times out those without a result. Any number of nodes may run it at once.
 *
 * @returns the number of changed commands.
 */
export async function sweepAgentCommands(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: COMMANDS_DUE, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  return (await moveDue(ctx)) + (await moveDueSteering(ctx));
}

/**
 * Commands that steer a mission are changed one at a time under the mission's locks, which come before
 * those of commands.
 */
async function moveDueSteering(ctx: Ctx): Promise<number> {
  const due = await ctx.read(DUE_STEERING, [ctx.workspaceId]);
  for (const { id, missionId } of due) await endSteering(ctx, missionId, (tx) => moveOverdue(tx, id));
  return due.length;
}

async function moveOverdue(tx: Transaction, id: string): Promise<EndedCommand> {
  const locked = await lockAgentCommand(tx, id);
  if (!isDue(locked)) return { command: locked.command, isLeftUndone: false };
  const { command, appended } = await moveAgentCommand(tx, locked, buildOverdueMove(locked));
  append(tx, appended);
  return { command, isLeftUndone: command.status === "expired" };
}

function isDue({ command: { nextDeadlineAt }, now }: LockedCommand): boolean {
  return nextDeadlineAt !== null && nextDeadlineAt <= now;
}

async function moveDue(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const due = await tx.run(LOCK_DUE, [ctx.workspaceId]);
    const all: Required<Pick<AppendContent, "events" | "totals">> = { events: [], totals: [] };
    for (const { $now: now, ...command } of due) {
      const locked = { command, now };
      const { appended } = await moveAgentCommand(tx, locked, buildOverdueMove(locked));
      all.events.push(...appended.events);
      all.totals.push(...appended.totals);
    }
    if (due.length > 0) append(tx, all);
    return due.length;
  });
}
