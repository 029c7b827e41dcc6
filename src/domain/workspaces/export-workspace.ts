import { exportRows } from "../../db/export-rows.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Reads everything of the workspace but secrets, as it is at one moment: lines of JSON, in parts that may end within a
 * line. The first line names the workspace, then each row of each table is one, and the last says how many there were.
 * That it was begun is in the audit log.
 *
 * @throws {DomainError} forbidden below owner.
 */
export async function* exportWorkspace(ctx: Ctx, databaseUrl: string): AsyncGenerator<string | Buffer> {
  requireRole(ctx, "owner");
  await noteExport(ctx);
  const counted = { rows: 0 };
  yield `${JSON.stringify({ export: { format: 1, workspace_id: ctx.workspaceId } })}\n`;
  yield* exportRows(databaseUrl, ctx.workspaceId, counted);
  yield `${JSON.stringify({ end: counted })}\n`;
}

async function noteExport(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    append(tx, {
      events: [],
      audit: [{ action: "workspace.exported", targetType: "workspace", targetId: ctx.workspaceId }],
    });
  });
}
