import type { Prisma, Workspace } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";

/** Reads the caller's workspace, which all callers may. `query` selects columns. */
export async function readWorkspace(
  ctx: Ctx,
  query: Pick<Prisma.WorkspaceFindUniqueArgs, "include" | "select"> = {},
): Promise<Workspace> {
  return ctx.db.workspace.findUniqueOrThrow({ ...query, where: { id: ctx.workspaceId } });
}
