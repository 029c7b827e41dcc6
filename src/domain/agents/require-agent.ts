import type { Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";

/**
 * Requires that a named agent exists and is not archived. No name is fine.
 *
 * @param named the input field, and the agent's id in it.
 * @throws {DomainError} validation_failed.
 */
export async function requireAgent(
  { db, ctx }: Transaction,
  { field, id }: { field: string; id: string | null | undefined },
): Promise<void> {
  if (typeof id !== "string") return;
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id }, archivedAt: null };
  const agent = await db.agent.findUnique({ where, select: { id: true } });
  if (agent === null) throw createFieldError(field, "is not an agent of this workspace");
}
