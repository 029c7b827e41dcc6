import type { Ctx } from "../domain/kernel/context.ts";

/** How a row of the caller's workspace becomes a Relay node; null where there is none. */
export const workspaceNode = {
  nullable: true,
  id: { resolve: (row: { id: string }) => row.id },
  findUnique: (id: string, ctx: Ctx) => ({ workspaceId_id: { workspaceId: ctx.workspaceId, id } }),
};
