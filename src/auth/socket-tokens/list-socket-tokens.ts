import type { Prisma, SocketToken } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";

/** What of the tokens is read, and which part of the list. */
export type SocketTokenQuery = Pick<Prisma.SocketTokenFindManyArgs, "include" | "select"> & {
  take: number;
  skip: number;
};

/**
 * Lists the workspace's socket tokens of the last day or so, newest first, without any secret.
 *
 * @throws {DomainError} forbidden for less than an admin.
 */
export async function listSocketTokens(ctx: Ctx, query: SocketTokenQuery): Promise<SocketToken[]> {
  requireRole(ctx, "admin");
  return ctx.db.socketToken.findMany({ ...query, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
}
