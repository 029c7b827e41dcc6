import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import type { Condition } from "../kernel/filter-by.ts";
import { LIMITS } from "../kernel/limits.ts";
import { WORD_INDEXES, findByWords } from "../kernel/word-search.ts";
import { SEARCHED_KINDS, type SearchKind, type SearchedKind } from "./searched-kinds.ts";

/**
 * SQL conditions on the rows `r` of kinds that have names: each typed word is in it. At most one per kind.
 *
 * @throws {DomainError} validation_failed for too many words.
 */
export async function findByTypedWords(
  ctx: Ctx,
  text: string,
  kinds: readonly SearchKind[],
): Promise<Map<SearchKind, Condition[]>> {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length > LIMITS.searchWords) {
    throw createFieldError("text", `can have at most ${LIMITS.searchWords} words`);
  }
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const found = await Promise.all(
    kinds.map(async (kind): Promise<[SearchKind, Condition[]]> => {
      const condition = await findOf(ctx, kind, { text, patterns });
      return [kind, condition === null ? [] : [condition]];
    }),
  );
  return new Map(found);
}

type Typed = { text: string; patterns: readonly string[] };

async function findOf(ctx: Ctx, kind: SearchKind, { text, patterns }: Typed): Promise<Condition | null> {
  const { text: within }: SearchedKind = SEARCHED_KINDS[kind];
  if (within !== undefined) return (param) => `${within} ILIKE ALL (${param(patterns)}::text[])`;
  switch (kind) {
    case "task":
      return findByWords(ctx, WORD_INDEXES.task, { text, field: "text" });
    case "mission":
      return findByWords(ctx, WORD_INDEXES.mission, { text, field: "text" });
    case "eval_run":
      return findByWords(ctx, WORD_INDEXES.evalRun, { text, field: "text" });
    case "conversation":
      return isOfFoundTask(await findByWords(ctx, WORD_INDEXES.task, { text, field: "text" }));
    case "agent_command":
      return isOfFoundType(patterns);
    default:
      return null;
  }
}

/** How many of the newest tasks that are found lead to their conversations. */
const TASKS = 5;

function isOfFoundTask(isFound: Condition): Condition {
  return (param) => `r.id = ANY (ARRAY(
    SELECT context_id FROM task WHERE workspace_id = $1::uuid AND ${isFound(param)}
    ORDER BY created_at DESC, id DESC LIMIT ${TASKS}))`;
}

/** How many types of commands are known, how many of them are found, and how many commands of each are looked at. */
const TYPES = { known: 100, found: 5, commands: 5 };

/** The types are read one by one from the index, which then has the newest commands of each. */
function isOfFoundType(patterns: readonly string[]): Condition {
  return (param) => `r.id = ANY (ARRAY(
    WITH RECURSIVE known(type, place) AS (
      (SELECT type, 1 FROM agent_command WHERE workspace_id = $1::uuid ORDER BY type LIMIT 1)
      UNION ALL
      SELECT next.type, known.place + 1 FROM known CROSS JOIN LATERAL (
        SELECT c.type FROM agent_command c WHERE c.workspace_id = $1::uuid AND c.type > known.type
        ORDER BY c.type LIMIT 1) next
      WHERE known.place < ${TYPES.known}
    )
    SELECT newest.id FROM (
      SELECT type FROM known WHERE type ILIKE ALL (${param(patterns)}::text[]) LIMIT ${TYPES.found}
    ) found CROSS JOIN LATERAL (
      SELECT c.id FROM agent_command c WHERE c.workspace_id = $1::uuid AND c.type = found.type
      ORDER BY c.created_at DESC, c.id DESC LIMIT ${TYPES.commands}) newest))`;
}
