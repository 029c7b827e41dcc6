import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";

/** What was read: the content of a span, or that of a page of an export. */
type ContentRead = {
  action: "trace.content_read" | "workspace.content_exported";
  targetType: "trace" | "workspace";
  targetId: string;
  changes: Record<string, unknown>;
};

/** Writes to the audit log that a person read content, before it is shown, if the workspace wants that. */
export async function auditContentRead(ctx: Ctx, read: ContentRead): Promise<void> {
  if (ctx.actor.type !== "user") return;
  const [workspace] = await ctx.read(SETTING, [ctx.workspaceId]);
  if (workspace?.isAudited !== true) return;
  await ctx.transaction(async (tx) => append(tx, { events: [], audit: [read] }));
}

const SETTING = sql<{ isAudited: boolean }>`
SELECT w.audit_content_reads AS "isAudited" FROM workspace w WHERE w.id = $1::uuid`;
