import { z } from "zod";
import { STOP_TABLE, selectList } from "../../db/columns.ts";
import type { Stop as StopRow, Workspace } from "../../db/generated/client.ts";
import { CLOCK, sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { type AuditInput, type EventInput, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { sendCommandsOfStop } from "./send-stop-commands.ts";
import { isOfAll } from "./stop-scope.ts";
import { type Stop, LISTS_WITH_STOPS, stopEvent, toStop } from "./stop.ts";

const shape = z.object({ id: uuid, reason: text(LIMITS.textLength) });

/**
 * Releases a stop. Its agents that no other stop covers, and that were not paused or stopped themselves, are sent a
 * resume command; canceled tasks stay canceled. `sweepStops` continues that if it is interrupted.
 *
 * @throws {DomainError} forbidden below admin, and for agents; not_found; validation_failed; invalid_state if it was
 *   released before.
 */
export async function releaseStop(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ workspace: Workspace; stop: Stop }> {
  requireRole(ctx, "admin");
  const { id, reason } = parseInput(shape, input);
  const { workspace, released } = await ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const known = await tx.db.stop.findUnique({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    });
    if (known === null) throw createNotFoundError("stop");
    if (known.releasedAt !== null) throw new DomainError("invalid_state", "The stop was released.");
    return release(tx, reason, id);
  });
  const [stop] = released;
  if (stop === undefined) throw new Error("no stop was released");
  await sendCommandsOfStop(ctx, stop.id);
  return { workspace, stop };
}

/**
 * Releases all stops that stand, as {@link releaseStop} does one.
 *
 * @throws {DomainError} forbidden below admin, and for agents; validation_failed; invalid_state if there is none.
 */
export async function releaseEmergencyStop(ctx: Ctx, input: { reason: string }): Promise<Workspace> {
  requireRole(ctx, "admin");
  const { reason } = parseInput(shape.pick({ reason: true }), input);
  const { workspace, released } = await ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    return release(tx, reason, null);
  });
  for (const { id } of released) await sendCommandsOfStop(ctx, id);
  return workspace;
}

/** Releases one stop, or all. The workspace is locked. */
async function release(
  tx: Transaction,
  reason: string,
  id: string | null,
): Promise<{ workspace: Workspace; released: Stop[] }> {
  const { run, ctx } = tx;
  const by = JSON.stringify(createActorRecord(ctx.actor));
  const released = (await run(RELEASE, [ctx.workspaceId, id, by, reason])).map(toStop);
  if (released.length === 0) throw new DomainError("invalid_state", "There is no emergency stop.");
  const workspace = await changeWorkspace(tx);
  append(tx, {
    events: [
      ...released.map((stop) => stopEvent("stop.released", stop, { reason })),
      ...released.filter(isOfAll).map(() => buildWorkspaceEvent(workspace, reason)),
    ],
    totals: [...LISTS_WITH_STOPS],
    audit: [
      ...released.map((stop) => buildAudit({ targetType: "stop", targetId: stop.id }, reason)),
      ...released.filter(isOfAll).map(() => buildAudit(workspace, reason)),
    ],
  });
  return { workspace, released };
}

/** Its commands to resume are sent from the first agent on. */
const RELEASE = sql<StopRow>`
UPDATE stop s SET released_at = date_trunc('milliseconds', ${CLOCK}), released_by = $3::jsonb, release_reason = $4,
  sent_to = NULL, sent = false
WHERE s.workspace_id = $1::uuid AND s.released_at IS NULL AND ($2::uuid IS NULL OR s.id = $2::uuid)
RETURNING ${selectList("s", STOP_TABLE)}`;

const OF_ALL = "workspace.emergency_stop_released";

function buildWorkspaceEvent({ id, generation }: Workspace, reason: string): EventInput {
  return { type: OF_ALL, subjectType: "workspace", subjectId: id, data: { generation, reason } };
}

function buildAudit(of: Workspace | { targetType: "stop"; targetId: string }, reason: string): AuditInput {
  if ("targetType" in of) return { action: "stop.released", ...of, changes: { reason } };
  return { action: OF_ALL, targetType: "workspace", targetId: of.id, changes: { reason } };
}
