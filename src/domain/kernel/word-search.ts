import { buildStatement } from "../../db/sql.ts";
import type { Ctx } from "./context.ts";
import { createFieldError } from "./errors.ts";
import type { Condition } from "./filter-by.ts";
import { LIMITS } from "./limits.ts";

/** A table whose rows are found by the starts of words, with an index of the same expression. */
export type WordIndex = {
  table: string;
  /** SQL for the words of a row and its workspace. */
  words: string;
};

/** The characters that separate words, besides blanks. */
const SEPARATORS = "-_./\\:@#+,;&*()[]{}<>=!?\"''";

function createWordIndex(table: string, text: string): WordIndex {
  return {
    table,
    words: `(to_tsvector('simple'::regconfig, regexp_replace(translate(${text}, '${SEPARATORS}', repeat(' ', 26)),
    '([[:alnum:]]+)', 'w' || replace(workspace_id::text, '-', '') || '\\1', 'g'))
  || array_to_tsvector(ARRAY['@' || workspace_id::text]))`,
  };
}

/**
 * The indexes task_words_idx, mission_words_idx and eval_run_words_idx. Each word begins with its workspace, so that only
 * that one's entries are read.
 */
export const WORD_INDEXES = {
  task: createWordIndex("task", "title"),
  mission: createWordIndex("mission", "title"),
  evalRun: createWordIndex("eval_run", "name || ' ' || suite"),
} as const;

/** What was typed, and the field in which. */
export type TypedWords = { text: string; field: string };

/** SQL condition: the row is one of the workspace, by the index of words, which has those of all workspaces. */
export function isOfWorkspace({ words }: WordIndex, ctx: Ctx): Condition {
  return (param) => `${words} @@ ${param(`'@${ctx.workspaceId}'`)}::tsquery`;
}

/**
 * SQL condition: each typed word is the start of a word of the row. It is of one table, without an alias.
 *
 * @throws {DomainError} validation_failed for too many words, or none.
 */
export async function findByWords(ctx: Ctx, index: WordIndex, typed: TypedWords): Promise<Condition> {
  const words = buildWordQuery(ctx, typed);
  function isFound(param: Parameters<Condition>[0]): string {
    return `${index.words} @@ to_tsquery('simple'::regconfig, ${param(words)})`;
  }
  return (await isRare(ctx, index, isFound)) ? searchWordsFirst(index, isFound) : isFound;
}

const FEW = 1000;

async function isRare(ctx: Ctx, { table }: WordIndex, isFound: Condition): Promise<boolean> {
  const values: unknown[] = [ctx.workspaceId];
  const where = `workspace_id = $1::uuid AND ${isFound((value) => `$${values.push(value)}`)}`;
  const text = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ${FEW + 1}) found`;
  const [row] = await ctx.read(buildStatement<{ count: number }>("", text), values);
  return (row?.count ?? 0) <= FEW;
}

/**
 * Makes PostgreSQL use the index of words first. It assumes that one row in a hundred matches, so for a
 * rare word it would read all rows in order.
 */
function searchWordsFirst({ table }: WordIndex, isFound: Condition): Condition {
  return (param) =>
    `id = ANY (ARRAY(SELECT id FROM ${table} WHERE workspace_id = $1::uuid AND ${isFound(param)}))`;
}

/** Each typed word must be the start of a word. Each reads the index, so one that another begins with is left out. */
function buildWordQuery({ workspaceId }: Ctx, { text, field }: TypedWords): string {
  const words = new Map(text.match(/[\p{L}\p{N}]+/gu)?.map((word) => [word.toLowerCase(), word]));
  const read = [...words].filter(([word]) =>
    [...words.keys()].every((other) => other === word || !other.startsWith(word)),
  );
  if (read.length > LIMITS.searchWords) {
    throw createFieldError(field, `can have at most ${LIMITS.searchWords} words`);
  }
  if (read.length === 0) throw createFieldError(field, "must have a letter or a digit");
  const own = `w${workspaceId.replaceAll("-", "")}`;
  return read.map(([, word]) => `${own}${word}:*`).join(" & ");
}
