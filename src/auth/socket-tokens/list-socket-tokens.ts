import type { Prisma, SocketToken } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";

/** The selected columns and the page. */
export type SocketTokenQuery = Pick<Prisma.SocketTokenFindManyArgs, "include" | "select"> & {
  take: number;
  skip: number;
};

/**
 * Lists the workspace's socket tokens of the last day, newest first, without secrets.
 *
 * @throws {DomainError} forbidden below admin.
 */
export async function listSocketTokens(ctx: Ctx, query: SocketTokenQuery): Promise<SocketToken[]> {
  requireRole(ctx, "admin");
  return ctx.db.socketToken.findMany({ ...query, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
}
