import type { Ctx } from "../domain/kernel/context.ts";

/** Loads rows of the caller's workspace as Relay nodes. */
export const workspaceNode = {
  nullable: true,
  id: { resolve: (row: { id: string }) => row.id },
  findUnique: (id: string, ctx: Ctx) => ({ workspaceId_id: { workspaceId: ctx.workspaceId, id } }),
};
