import { buildStatement } from "../../db/sql.ts";
import { z } from "zod";
import { TABLES, cutBySize, listedSelectList, selectRange } from "../../db/columns.ts";
import type { EvalResult } from "../../db/generated/client.ts";
import { EvalResultStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { readCursorText, writeCursorText } from "../kernel/cursor-text.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { PageArgs, PageRow } from "../kernel/page.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import type { EvalResultCounts } from "./eval-totals.ts";

const shape = z.object({
  runId: uuid,
  status: z.enum(EvalResultStatus).nullish(),
  itemKey: text(LIMITS.itemKeyLength).nullish(),
});

const sizes = z.object({
  first: wholeNumber(LIMITS.pageSize).nullish(),
  last: wholeNumber(LIMITS.pageSize).nullish(),
  offset: wholeNumber({ min: 0, max: LIMITS.offset }).nullish(),
});

type Filter = z.output<typeof shape>;
/** `from` is the item key to start at. */
type Slice = { size: number; offset: number; backward: boolean; from: string | null };
/** Every row includes the run's values. `$matches` is null if the run's counts give the total. */
type Headed = {
  $counts: EvalResultCounts;
  $generation: number;
  $matches: number | null;
  $found: bigint | null;
  $bytes: string | null;
};

/** A result in a list. */
export type EvalResultRow = PageRow<EvalResult>;

/** A page of a run's results, ordered by item key. */
export type EvalResultPage = {
  nodes: EvalResultRow[];
  /** The number of matching results, on all pages. */
  total: number;
  /** The run's generation, which changes with its results. */
  generation: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
};

/**
 * Lists the results of a run ordered by item key, with their total, in one statement. A page of large
 * results ends early.
 *
 * @throws {DomainError} insufficient_scope without `eval_runs:read`; not_found; validation_failed.
 */
export async function listEvalResults(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape>,
): Promise<EvalResultPage> {
  requireScope(ctx, "eval_runs:read");
  const asked = parseInput(shape, filter);
  const slice = toSlice(page);
  const values: unknown[] = [ctx.workspaceId, asked.runId];
  const statement = buildStatement<Headed & EvalResultRow>("", statementFor(asked, slice, values));
  const rows = await ctx.read({ ...statement, instants: "text" }, values);
  const [head] = rows;
  if (head === undefined) throw createNotFoundError("evaluation run");
  countReadBytes(ctx, Number(head.$bytes ?? 0));
  // Without matching rows there is one row with the head only.
  const found = head.id === null ? [] : rows;
  // A page of size 0 has no position to continue from.
  const nodes = found.slice(0, slice.size);
  const more = slice.size > 0 && Number(head.$found) > nodes.length;
  const isStarted = slice.from !== null || slice.offset > 0;
  return {
    nodes: slice.backward ? nodes.toReversed() : nodes,
    total: head.$matches ?? getTotal(asked, head.$counts),
    generation: head.$generation,
    hasNextPage: slice.backward ? isStarted && nodes.length > 0 : more,
    hasPreviousPage: slice.backward ? more : isStarted,
  };
}

/** Returns the opaque cursor of a result. */
export function evalResultCursor({ itemKey }: { itemKey: string }): string {
  return writeCursorText(`r1.${itemKey}`);
}

function toSlice(page: PageArgs): Slice {
  const { first, last, offset } = parseInput(sizes, page);
  const backward = typeof last === "number";
  if (backward && typeof first === "number") throw createFieldError("last", "can't be combined with first");
  if (backward && typeof page.after === "string")
    throw createFieldError("after", "can't be combined with last");
  if (!backward && typeof page.before === "string") throw createFieldError("before", "needs last");
  const [name, cursor] = backward ? (["before", page.before] as const) : (["after", page.after] as const);
  const from = typeof cursor === "string" ? parseKey(name, cursor) : null;
  if (offset && (backward || from !== null)) {
    throw createFieldError("offset", "can't be combined with a cursor or with last");
  }
  return { size: last ?? first ?? LIMITS.pageSize.default, offset: offset ?? 0, backward, from };
}

function parseKey(field: string, cursor: string): string {
  const [, key] = /^r1\.([^\0]+)$/s.exec(readCursorText(cursor) ?? "") ?? [];
  if (key === undefined) throw createFieldError(field, "is not a cursor of this list");
  return key;
}

function statementFor(filter: Filter, slice: Slice, values: unknown[]): string {
  const where = ["workspace_id = $1::uuid", "eval_run_id = $2::uuid"];
  if (filter.status) where.push(`status = $${values.push(filter.status)}::eval_result_status`);
  if (filter.itemKey) where.push(`item_key = $${values.push(filter.itemKey)}`);
  const matches = filter.itemKey
    ? `(SELECT count(*)::int FROM eval_result WHERE ${where.join(" AND ")})`
    : "NULL::int";
  if (slice.from !== null) where.push(`item_key ${slice.backward ? "<" : ">"} $${values.push(slice.from)}`);
  const order = slice.backward ? "DESC" : "ASC";
  const query = selectRange(TABLES.evalResult, {
    where,
    order: `item_key ${order}`,
    key: ["workspace_id", "eval_run_id", "item_key"],
    limit: slice.size + 1,
    offset: slice.offset,
  });
  return `
SELECT r.result_counts AS "$counts", r.generation AS "$generation", ${matches} AS "$matches", t.found AS "$found", t.bytes AS "$bytes",
  ${listedSelectList("t", TABLES.evalResult)}
FROM eval_run r
LEFT JOIN LATERAL (
  ${cutBySize(TABLES.evalResult, { query, order: `q.item_key ${order}` })}
) t ON true
WHERE r.workspace_id = $1::uuid AND r.id = $2::uuid ORDER BY t.item_key ${order}`;
}

/** Uses the run's stored counts. */
function getTotal({ status }: Filter, counts: EvalResultCounts): number {
  const { total, passed, failed, errored } = counts;
  if (!status) return total;
  return status === "skipped" ? total - passed - failed - errored : counts[status];
}
