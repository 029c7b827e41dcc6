import { z } from "zod";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const shape = z.object({ graceDays: wholeNumber(LIMITS.graceDays).default(LIMITS.graceDays.default) });

/**
 * Suspends the workspace at once, and has all of it deleted after some days (7 by default). Asked again, it counts from
 * now on. For who runs the service.
 *
 * @returns from when on it is deleted.
 * @throws {DomainError} forbidden for others; validation_failed; not_found.
 */
export async function deleteWorkspace(ctx: Ctx, input: z.input<typeof shape>): Promise<Date> {
  requireOperator(ctx);
  const { graceDays } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const [row] = await tx.run(DELETE, [ctx.workspaceId, graceDays]);
    const deletionAt = row?.deletionAt ?? null;
    if (row === undefined || deletionAt === null) throw createNotFoundError("workspace");
    appendDeletion(tx, "workspace.deletion_requested", {
      ...{ row, changes: { deletion_at: deletionAt.toISOString() } },
      revocations: [{ kind: "workspace", subjectId: ctx.workspaceId, reason: "workspace_suspended" }],
    });
    return deletionAt;
  }, "urgent");
}

/**
 * Undoes the deletion of the workspace, and its suspension unless that is older. Sessions have ended: people must log
 * in again.
 *
 * @returns since when it is suspended; null if it is not.
 * @throws {DomainError} forbidden for others; not_found; invalid_state if it is not to be deleted, or that has begun.
 */
export async function undeleteWorkspace(ctx: Ctx): Promise<Date | null> {
  requireOperator(ctx);
  return ctx.transaction(async (tx) => {
    const [row] = await tx.run(UNDELETE, [ctx.workspaceId]);
    if (row === undefined)
      throw new DomainError(
        "invalid_state",
        "The workspace is not to be deleted, or that has already begun.",
      );
    await tx.db.userToken.deleteMany({ where: { context: "session" } });
    appendDeletion(tx, "workspace.deletion_undone", { row, changes: {}, revocations: [] });
    return row.suspendedAt;
  }, "urgent");
}

function requireOperator(ctx: Ctx): void {
  requireRole(ctx, "owner");
  if (ctx.actor.type !== "system")
    throw new DomainError("forbidden", "Workspaces are deleted by who runs the service.");
}

type Row = { suspendedAt: Date | null; deletionAt: Date | null; generation: number };

function appendDeletion(
  tx: Transaction,
  action: string,
  { row, changes, revocations }: { row: Row; changes: object } & Required<Pick<AppendContent, "revocations">>,
): void {
  const { workspaceId: id } = tx.ctx;
  const data = { generation: row.generation };
  append(tx, {
    events: [{ type: action, subjectType: "workspace", subjectId: id, data }],
    audit: [{ action, targetType: "workspace", targetId: id, changes: { ...changes } }],
    revocations,
  });
}

const RETURNED = `suspended_at AS "suspendedAt", deletion_at AS "deletionAt", generation`;

const DELETE = sql<Row>`
UPDATE workspace SET suspended_at = COALESCE(suspended_at, ${NOW}), deletion_asked_at = COALESCE(deletion_asked_at, ${NOW}),
  deletion_at = ${NOW} + make_interval(days => $2::int), generation = generation + 1, updated_at = ${NOW}
WHERE id = $1::uuid RETURNING ${RETURNED}`;

const UNDELETE = sql<Row>`
UPDATE workspace SET suspended_at = CASE WHEN suspended_at < deletion_asked_at THEN suspended_at END,
  deletion_asked_at = NULL, deletion_at = NULL, generation = generation + 1, updated_at = ${NOW}
WHERE id = $1::uuid AND deletion_at > ${NOW} RETURNING ${RETURNED}`;
