import { type Table, cutBySize, selectList } from "../../db/columns.ts";
import { buildStatement, nameText } from "../../db/sql.ts";
import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { countReadBytes } from "./read-bytes.ts";

/** The rows of a table to which the rows of a list refer. */
export type Related = {
  table: Table;
  /** Selects the table's columns as `q`. The workspace is `$1` and the ids are `$2`. */
  query: string;
  order: string;
  ids: readonly string[];
  /** For the error, such as `steps`. */
  what: string;
};

/**
 * Reads the rows to which the rows of a list refer, if their large fields have at most a page's bytes: the
 * list's own limit does not count them.
 *
 * @throws {DomainError} invalid_request if they have more.
 */
export async function readRelated<Row extends object>(ctx: Ctx, related: Related): Promise<Row[]> {
  const { table, query, order, ids, what } = related;
  const text = `SELECT ${selectList("q", table)}, q.found AS "$found", q.bytes AS "$bytes" FROM (${cutBySize(table, { query, order })}) q
    ORDER BY ${order}`;
  // Rows of one table are related to others in several ways.
  const statement = buildStatement<Row & { $found: bigint; $bytes: string }>(nameText(text), text);
  const rows = await ctx.read(statement, [ctx.workspaceId, ids]);
  countReadBytes(ctx, Number(rows[0]?.$bytes ?? 0));
  if (rows.length === Number(rows[0]?.$found ?? 0)) return rows;
  throw new DomainError(
    "invalid_request",
    `The ${what} of these rows have more than 4 MiB. Read fewer rows at once, or leave out their ${what}.`,
  );
}
