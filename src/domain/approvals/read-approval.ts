import { z } from "zod";
import type { Approval, Prisma } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { waitFor } from "../kernel/wait-for.ts";

const shape = z.object({ id: uuid, waitSeconds: wholeNumber(LIMITS.pollSeconds).nullish() });

/**
 * Reads one approval; with `waitSeconds`, waits while it is pending. With `gateway:check` alone an agent reads
 * its own. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read` and `gateway:check`; not_found;
 *   validation_failed.
 */
export async function readApproval(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.ApprovalFindUniqueArgs, "include" | "select"> = {},
): Promise<Approval> {
  const ownerId = requireReader(ctx);
  const { id, waitSeconds } = parseInput(shape, input);
  function concerns(event: StoredEvent): boolean {
    return event.subjectId === id;
  }
  const isKnown = await findStatus(ctx, id, ownerId);
  if (isKnown === null) throw createNotFoundError("approval");
  await waitFor(ctx, { seconds: waitSeconds ?? 0, concerns }, async () => {
    const status = await findStatus(ctx, id, ownerId);
    return status === "pending" ? null : status;
  });
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const approval = await ctx.db.approval.findUnique({ ...query, where });
  if (approval === null) throw createNotFoundError("approval");
  return approval;
}

/** @returns the agent whose approvals the caller may read; null for all. */
function requireReader(ctx: Ctx): string | null {
  if (hasScope(ctx, "gateway:read")) return null;
  const { actor } = ctx;
  requireScope(ctx, actor.type === "agent" ? "gateway:check" : "gateway:read");
  return actor.type === "agent" ? actor.id : null;
}

async function findStatus(ctx: Ctx, id: string, ownerId: string | null): Promise<string | null> {
  const [approval] = await ctx.read(STATUS, [ctx.workspaceId, id, ownerId]);
  return approval?.status ?? null;
}

const STATUS = sql<{ status: string }>`
SELECT status::text FROM approval
WHERE workspace_id = $1::uuid AND id = $2::uuid AND ($3::uuid IS NULL OR agent_id = $3::uuid)`;
