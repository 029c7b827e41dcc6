import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { STOP_TABLE, selectList } from "../../db/columns.ts";
import type { Stop as StopRow, Workspace } from "../../db/generated/client.ts";
import { CLOCK, sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { sendCommandsOfStop } from "./send-stop-commands.ts";
import { type Stop, LISTS_WITH_STOPS, stopEvent, toStop } from "./stop.ts";
import { type StopScope, isOfAll, stopScope, toStopScope } from "./stop-scope.ts";

const shape = z.object({ reason: text(LIMITS.textLength), scope: stopScope.nullish() });

/**
 * Stops agents: all of the workspace, or those of a scope. Takes effect with the commit, before any agent is sent
 * a command: they can claim nothing, and whatever they ask is denied. Then every agent is sent a command and the
 * cancellation of its tasks is requested. `sweepStops` continues that if it is interrupted. Repeating the call
 * changes nothing, unless agents were resumed meanwhile. Not an emergency stop in the sense of functional safety.
 *
 * @throws {DomainError} forbidden below operator, and for agents; validation_failed; invalid_state if too many
 *   stops stand.
 */
export async function emergencyStop(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ workspace: Workspace; stop: Stop }> {
  requireRole(ctx, "operator");
  const { reason, scope } = parseInput(shape, input);
  const stopped = await ctx.transaction((tx) => stopIn(tx, reason, toStopScope(scope)), "urgent");
  await sendCommandsOfStop(ctx, stopped.stop.id);
  return stopped;
}

async function stopIn(
  tx: Transaction,
  reason: string,
  scope: StopScope,
): Promise<{ workspace: Workspace; stop: Stop }> {
  const before = await lockWorkspace(tx);
  const same = await findSame(tx, scope);
  if (same !== null) return { workspace: before, stop: same };
  if (!isOfAll(scope)) await requireRoom(tx);
  const stop = await insertStop(tx, reason, scope);
  const workspace = await changeWorkspace(tx);
  const { kind, labels } = scope;
  const { id: workspaceId, generation } = workspace;
  const ofAll = { type: "workspace.emergency_stopped", subjectType: "workspace", subjectId: workspaceId };
  const audit = { action: "stop.started", targetType: "stop", targetId: stop.id };
  const auditOfAll = { action: ofAll.type, targetType: "workspace", targetId: workspaceId };
  append(tx, {
    events: [
      stopEvent("stop.started", stop, { kind, labels, reason }),
      ...(isOfAll(scope) ? [{ ...ofAll, data: { generation, reason } }] : []),
    ],
    totals: [...LISTS_WITH_STOPS],
    audit: [
      { ...audit, changes: { kind, labels, reason } },
      ...(isOfAll(scope) ? [{ ...auditOfAll, changes: { reason } }] : []),
    ],
    isUrgent: true,
  });
  return { workspace, stop };
}

/** A stop that stands for the same scope, of which no agent was resumed. */
async function findSame({ run, ctx }: Transaction, { kind, labels }: StopScope): Promise<Stop | null> {
  const [row] = await run(SAME, [ctx.workspaceId, kind, JSON.stringify(labels)]);
  return row === undefined ? null : toStop(row);
}

const SAME = sql<StopRow>`
SELECT ${selectList("s", STOP_TABLE)} FROM stop s
WHERE s.workspace_id = $1::uuid AND s.released_at IS NULL AND s.kind IS NOT DISTINCT FROM $2::agent_kind
  AND s.labels = $3::jsonb AND s.stages = '[]'
ORDER BY s.at, s.id LIMIT 1`;

/** A stop of all agents always has room. */
async function requireRoom({ run, ctx }: Transaction): Promise<void> {
  const [count] = await run(COUNT, [ctx.workspaceId]);
  if ((count?.standing ?? 0) < LIMITS.standingStops) return;
  const message = `There are ${LIMITS.standingStops} stops. Release some, or stop all agents.`;
  throw new DomainError("invalid_state", message);
}

const COUNT = sql<{ standing: number }>`
SELECT count(*)::int AS standing FROM stop WHERE workspace_id = $1::uuid AND released_at IS NULL`;

async function insertStop(
  { run, ctx }: Transaction,
  reason: string,
  { kind, labels }: StopScope,
): Promise<Stop> {
  const by = JSON.stringify(createActorRecord(ctx.actor));
  const [row] = await run(INSERT, [ctx.workspaceId, uuidv7(), kind, JSON.stringify(labels), reason, by]);
  if (row === undefined) throw new Error("an insert returned no row");
  return toStop(row);
}

const INSERT = sql<StopRow>`
INSERT INTO stop AS s (workspace_id, id, kind, labels, reason, by, at)
VALUES ($1::uuid, $2::uuid, $3::agent_kind, $4::jsonb, $5, $6::jsonb, date_trunc('milliseconds', ${CLOCK}))
RETURNING ${selectList("s", STOP_TABLE)}`;
