import { z } from "zod";
import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { append } from "../../kernel/events.ts";
import { parseGlob } from "../../kernel/glob.ts";
import { requireSudo } from "../../kernel/guard.ts";
import { parseInput, text } from "../../kernel/input.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { SPAN_LIMITS } from "../span-limits.ts";
import { type DropRule, MOST_DROP_RULES } from "./drop-rule.ts";
import { type CountedDropRule, listDropRules } from "./list-drop-rules.ts";

const pattern = text(SPAN_LIMITS.wordLength).superRefine((value, context) => {
  const glob = parseGlob(value);
  if (typeof glob === "string") context.addIssue({ code: "custom", message: glob });
});

const rule = z
  .object({
    /** The library. Default: any. */
    scope: pattern.default("*"),
    /** The name. Default: any. */
    name: pattern.default("*"),
  })
  .refine(
    ({ scope, name }) => !(isAny(scope) && isAny(name)),
    "must say more than * of the scope or the name",
  );

const shape = z.object({
  rules: z
    .array(rule)
    .max(MOST_DROP_RULES, `must have at most ${MOST_DROP_RULES} rules`)
    .refine((rules) => new Set(rules.map(toKey)).size === rules.length, "must have no rule twice"),
});

/**
 * Replaces the rules by which spans are not stored. Those that stay keep their counts. What says what a call used is
 * stored nevertheless.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed.
 */
export async function setDropRules(ctx: Ctx, input: z.input<typeof shape>): Promise<CountedDropRule[]> {
  requireSudo(ctx, "admin");
  const { rules } = parseInput(shape, input);
  await ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const values = [rules.map(({ scope }) => scope), rules.map(({ name }) => name)];
    const removed = await tx.run(REMOVE, [ctx.workspaceId, ...values]);
    const added = await tx.run(ADD, [ctx.workspaceId, ...values]);
    if (removed.length + added.length === 0) return;
    const subject = { subjectType: "workspace", subjectId: ctx.workspaceId };
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    append(tx, {
      events: [{ type: "workspace.drop_rules_changed", ...subject, data: { rules: rules.length } }],
      audit: [{ action: "workspace.drop_rules_changed", ...target, changes: { added, removed } }],
    });
  });
  return listDropRules(ctx);
}

function isAny(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

function toKey({ scope, name }: DropRule): string {
  return JSON.stringify([scope, name]);
}

const REMOVE = sql<DropRule>`
DELETE FROM span_drop_rule r WHERE r.workspace_id = $1::uuid AND NOT EXISTS (
  SELECT 1 FROM unnest($2::text[], $3::text[]) g (scope, name) WHERE g.scope = r.scope AND g.name = r.name)
RETURNING r.scope, r.name`;

const ADD = sql<DropRule>`
INSERT INTO span_drop_rule (workspace_id, scope, name)
SELECT $1::uuid, g.scope, g.name FROM unnest($2::text[], $3::text[]) g (scope, name)
ON CONFLICT DO NOTHING RETURNING scope, name`;
