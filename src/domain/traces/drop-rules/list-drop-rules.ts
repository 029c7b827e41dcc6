import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { requireScope } from "../../kernel/guard.ts";
import type { DropRule } from "./drop-rule.ts";

/** A rule, and how many spans it has dropped. */
export type CountedDropRule = DropRule & { dropped: number; lastDroppedAt: Date | null };

/**
 * Lists which spans are not stored, by library and name.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`.
 */
export async function listDropRules(ctx: Ctx): Promise<CountedDropRule[]> {
  requireScope(ctx, "traces:read");
  return ctx.read(RULES, [ctx.workspaceId]);
}

const RULES = sql<CountedDropRule>`
SELECT scope, name, dropped::float8, last_dropped_at AS "lastDroppedAt" FROM span_drop_rule
WHERE workspace_id = $1::uuid ORDER BY scope, name`;
