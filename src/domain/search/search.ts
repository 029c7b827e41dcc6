import { z } from "zod";
import { buildStatement } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import type { Condition } from "../kernel/filter-by.ts";
import { requireRole } from "../kernel/guard.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type IdRange, parseIdPrefix } from "./parse-id-prefix.ts";
import { findByTypedWords } from "./find-by-typed-words.ts";
import { SEARCHED_KINDS, SEARCH_KINDS, type SearchKind, type SearchedKind } from "./searched-kinds.ts";

const shape = z.object({
  text: text(LIMITS.queryLength),
  kinds: z.array(z.enum(SEARCH_KINDS)).min(1, "must name at least one kind").nullish(),
});

/** Something that was found. `status` and `detail` are words of its kind, such as a task's queue. */
export type SearchHit = {
  kind: SearchKind;
  id: string;
  name: string | null;
  status: string | null;
  detail: string | null;
  /** Of a conversation when something was said last. */
  createdAt: Date;
};

/** The most hits of a kind. */
const PER_KIND = 5;

/**
 * Finds anything by the beginning of its id, of 8 characters or more, and what has a name by words of it: the newest
 * five of each kind, in the order of the kinds. Words of titles match at their start.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed for a text without a letter or
 *   digit, or of too many words.
 */
export async function search(ctx: Ctx, input: z.input<typeof shape>): Promise<SearchHit[]> {
  requireRole(ctx, "viewer");
  const asked = parseInput(shape, input);
  if (!/[\p{L}\p{N}]/u.test(asked.text)) throw createFieldError("text", "must have a letter or a digit");
  const kinds = [...new Set(asked.kinds ?? SEARCH_KINDS)].filter((kind) => mayRead(ctx, kind));
  const ids = parseIdPrefix(asked.text);
  const found = await findByTypedWords(ctx, asked.text, kinds);
  const values: unknown[] = [ctx.workspaceId];
  function param(value: unknown): string {
    return `$${values.push(value)}`;
  }
  const parts = kinds.flatMap((kind) => [
    ...(ids === null ? [] : [buildPart(kind, isInRange(ids)(param), "r.id DESC")]),
    ...(found.get(kind) ?? []).map((isFound) => buildPart(kind, isFound(param), NEWEST_FIRST)),
  ]);
  if (parts.length === 0) return [];
  const rows = await ctx.read(buildStatement<SearchHit>("", parts.join("\nUNION ALL\n")), values);
  return [...new Map(rows.map((row) => [`${row.kind} ${row.id}`, row])).values()];
}

function mayRead(ctx: Ctx, kind: SearchKind): boolean {
  const { scope } = SEARCHED_KINDS[kind];
  return scope === null || hasScope(ctx, scope);
}

const NEWEST_FIRST = "r.created_at DESC, r.id DESC";

function isInRange({ first, last }: IdRange): Condition {
  return (param) => `r.id BETWEEN ${param(first)}::uuid AND ${param(last)}::uuid`;
}

function buildPart(kind: SearchKind, condition: string, order: string): string {
  const { from, name, status = "NULL::text", detail = "NULL::text" }: SearchedKind = SEARCHED_KINDS[kind];
  return `(SELECT '${kind}' AS kind, r.id::text AS id, ${name} AS name, ${status} AS status, ${detail} AS detail,
  r.created_at AS "createdAt"
  FROM ${from} WHERE r.workspace_id = $1::uuid AND ${condition} ORDER BY ${order} LIMIT ${PER_KIND})`;
}
