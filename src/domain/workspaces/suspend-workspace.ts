import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Suspends the workspace: none of its credentials are accepted. Running work is not affected.
 *
 * @returns when it was suspended.
 * @throws {DomainError} forbidden below owner; not_found.
 */
export async function suspendWorkspace(ctx: Ctx): Promise<Date> {
  requireRole(ctx, "owner");
  const suspendedAt = await setSuspended(ctx, true);
  if (suspendedAt === null) throw new Error("a suspended workspace has no suspension time");
  return suspendedAt;
}

/**
 * Ends the workspace's suspension: its credentials are accepted again, except sessions; people must log in
 * again.
 *
 * @throws {DomainError} forbidden below owner; not_found; invalid_state if the workspace is to be deleted.
 */
export async function resumeWorkspace(ctx: Ctx): Promise<void> {
  requireRole(ctx, "owner");
  await setSuspended(ctx, false);
}

async function setSuspended(ctx: Ctx, suspended: boolean): Promise<Date | null> {
  const { workspaceId } = ctx;
  const action = suspended ? "workspace.suspended" : "workspace.resumed";
  return ctx.transaction(async (tx) => {
    const [workspace] = await tx.run(UPDATE, [workspaceId, suspended]);
    if (workspace === undefined) throw createNotFoundError("workspace");
    if (!suspended && workspace.isToBeDeleted) {
      throw new DomainError("invalid_state", "The workspace is to be deleted. Undo that instead.");
    }
    if (workspace.was === suspended) return workspace.at;
    if (!suspended) await tx.db.userToken.deleteMany({ where: { context: "session" } });
    append(tx, {
      events: [
        {
          type: action,
          subjectType: "workspace",
          subjectId: workspaceId,
          data: { generation: workspace.generation },
        },
      ],
      audit: [{ action, targetType: "workspace", targetId: workspaceId }],
      revocations: suspended
        ? [{ kind: "workspace", subjectId: workspaceId, reason: "workspace_suspended" }]
        : [],
    });
    return workspace.at;
  }, "urgent");
}

const UPDATE = sql<{ at: Date | null; was: boolean; isToBeDeleted: boolean; generation: number }>`
WITH before AS (SELECT suspended_at FROM workspace WHERE id = $1::uuid FOR NO KEY UPDATE)
  UPDATE workspace SET generation = generation + (CASE WHEN (before.suspended_at IS NULL) = $2 THEN 1 ELSE 0 END),
    suspended_at = CASE WHEN $2 THEN COALESCE(before.suspended_at, ${NOW}) END,
    updated_at = ${NOW}
  FROM before WHERE id = $1::uuid
  RETURNING workspace.suspended_at AS at, before.suspended_at IS NOT NULL AS was,
    workspace.deletion_at IS NOT NULL AS "isToBeDeleted", generation`;
