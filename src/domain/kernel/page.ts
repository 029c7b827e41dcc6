import { type Statement, buildStatement } from "../../db/sql.ts";
import {
  TABLES,
  type Table,
  type UnlistedField,
  toColumnName,
  cutBySize,
  listedSelectList,
  selectRange,
} from "../../db/columns.ts";
import type { Ctx } from "./context.ts";
import { type Position, eventCursor, parsePosition } from "./cursors.ts";
import { DomainError, createFieldError } from "./errors.ts";
import type { Collection } from "./events.ts";
import { LIMITS } from "./limits.ts";
import { countReadBytes } from "./read-bytes.ts";

/** The page of a list, newest first: from an offset, or before or after a cursor. */
export type PageArgs = {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  offset?: number | null | undefined;
  /** For callers that read the whole list: larger pages, unless a size is given. */
  all?: boolean | null | undefined;
};

/** The columns of every listed row, which determine its position. */
export type ListedRow = { id: string; createdAt: Date | string };

/** The order of a list. Default: by creation, newest first. */
export type SortOrder = {
  /** The table must have an index on it, followed by the id. */
  by: "createdAt" | "updatedAt";
  isOldestFirst: boolean;
};

/** A row of a page. Its instants are ISO 8601 text, since most readers only pass them on. */
export type PageRow<Row> = {
  [Field in Exclude<keyof Row, UnlistedField>]: Extract<Row[Field], Date> extends never
    ? Row[Field]
    : Exclude<Row[Field], Date> | string;
};

/** A page, with values of the whole list at the same instant. */
export type ListPage<Row extends ListedRow> = {
  nodes: PageRow<Row>[];
  /** The number of matching rows, on all pages; null if that is above the limit for counting. */
  total: number | null;
  /** The event that last changed the list. */
  version: bigint;
  /** The number of the list's changes without an event, such as progress. */
  ticks: bigint;
  /** The workspace's epoch, which changes when a backup is restored. */
  epoch: string;
  /** The workspace's newest event when the rows were read. */
  cursor: string;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** The order that its cursors are for. */
  orderedBy: SortOrder["by"];
};

/**
 * SQL conditions on listed rows besides workspace and status. `param` adds a value and returns its
 * placeholder.
 */
export type ListFilter = (param: (value: unknown) => string) => string[];

/** A list: the rows of a table, all of them or those with a status or filter. */
export type PageQuery = {
  /** `name` may also be a query in parentheses. */
  table: Table;
  /**
   * The collection with the list's total and version. Null if there is none: then the rows are counted, and
   * every event changes the version.
   */
  collection: Collection | null;
  status?: string | null | undefined;
  /** Rows under a filter are counted when they are read, at most up to `countUpTo`. */
  filter?: ListFilter | null | undefined;
  countUpTo?: number;
  page: PageArgs;
  order?: SortOrder | undefined;
};

/** Built once per table. */
const SELECTIONS = new Map<Table, string>(
  Object.values(TABLES).map((table) => [table, listedSelectList("t", table)]),
);

const USUAL_LIMITS = new Set<number>([25, 50, 100, LIMITS.wholeListPage]);

const NEWEST_FIRST: SortOrder = { by: "createdAt", isOldestFirst: false };

type Slice = {
  limit: number;
  offset: number;
  from: Position | null;
  backward: boolean;
  order: SortOrder;
};
/** `found` is the number of rows, at most one more than the limit. Some may be left for the next page. */
type Head = {
  epoch: string;
  seq: bigint;
  total: number;
  version: bigint;
  ticks: bigint;
  found: number;
  bytes: number;
};
/** The first row has the head as one column; in others it is null. */
type RowWithHead = { $head: string };

/**
 * Reads a page, its list's total and version and the workspace's cursor in one statement, so at one
 * instant. A page of large rows ends early. Without a filter, uses the stored total: the cost does not
 * depend on the list's length.
 *
 * @throws {DomainError} validation_failed for an invalid cursor or a size out of range.
 */
export async function readPage<Row extends ListedRow>(ctx: Ctx, list: PageQuery): Promise<ListPage<Row>> {
  const slice = toSlice(list);
  const values: unknown[] = [ctx.workspaceId, list.collection, list.status ?? "all"];
  const statement = statementFor<RowWithHead & PageRow<Row>>(list, slice, values);
  const rows = await ctx.read(statement, values);
  const [first] = rows;
  if (first === undefined) throw new DomainError("not_found", "There is no such workspace.");
  const head = parseHead(first);
  countReadBytes(ctx, head.bytes);
  // Without matching rows there is one row with the head only.
  const found: PageRow<Row>[] = first.id === null ? [] : rows;
  // A page of size 0 has no position to continue from.
  const nodes = found.slice(0, slice.limit);
  const more = slice.limit !== 0 && Math.max(head.found, found.length) > nodes.length;
  if (slice.backward) nodes.reverse();
  return {
    nodes,
    total: head.total > (list.countUpTo ?? Infinity) && isCounted(list) ? null : head.total,
    version: head.version,
    ticks: head.ticks,
    epoch: head.epoch,
    cursor: eventCursor(head.epoch, head.seq),
    hasNextPage: slice.backward ? slice.from !== null && nodes.length > 0 : more,
    hasPreviousPage: slice.backward ? more : slice.offset > 0 || slice.from !== null,
    orderedBy: slice.order.by,
  };
}

function parseHead({ $head }: RowWithHead): Head {
  const [epoch = "", ...numbers] = $head.split(" ");
  const [seq = "0", total = "0", version = "0", ticks = "0", found = "0", bytes = "0"] = numbers;
  return {
    epoch,
    seq: BigInt(seq),
    total: Number(total),
    found: Number(found),
    bytes: Number(bytes),
    version: BigInt(version),
    ticks: BigInt(ticks),
  };
}

function toSlice({ page, order = NEWEST_FIRST }: PageQuery): Slice {
  const backward = typeof page.last === "number";
  if (backward && typeof page.first === "number")
    throw createFieldError("last", "can't be combined with first");
  const size = backward ? page.last : page.first;
  if (typeof size === "number") requireRange(backward ? "last" : "first", size, LIMITS.pageSize);
  const offset = page.offset ?? 0;
  requireRange("offset", offset, { min: 0, max: LIMITS.offset });
  const cursor = backward ? page.before : page.after;
  const name = backward ? "before" : "after";
  const stray = backward ? page.after : page.before;
  if (typeof stray === "string") {
    throw backward
      ? createFieldError("after", "can't be combined with last")
      : createFieldError("before", "needs last");
  }
  if (offset > 0 && (backward || typeof cursor === "string")) {
    throw createFieldError("offset", "can't be combined with a cursor or with last");
  }
  return {
    limit: size ?? (page.all === true ? LIMITS.wholeListPage : LIMITS.pageSize.default),
    offset,
    from: typeof cursor === "string" ? parsePosition(name, cursor, order) : null,
    backward,
    order,
  };
}

function requireRange(field: string, value: number, { min, max }: { min: number; max: number }): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw createFieldError(field, `must be a whole number from ${min} to ${max}`);
  }
}

/** Limit and offset are part of the text: as parameters they would hide the page's size from the planner. */
function statementFor<Row extends object>(list: PageQuery, slice: Slice, values: unknown[]): Statement<Row> {
  const { table } = list;
  const listed = buildConditions(list, values);
  const counted = isCounted(list) ? buildCountSql(list, { listed, order: orderBy("r.", slice) }) : "c.total";
  const version = list.collection === null ? "h.seq" : "c.version";
  const where = [...listed, ...positionConditions(slice, values)];
  const order = orderBy("t.", slice);
  const query = selectRange(table, {
    where,
    order: orderBy("", slice),
    key: ["workspace_id", "id"],
    limit: slice.limit + 1,
    offset: slice.offset,
  });
  const isCut = table.large !== undefined && table.large.length > 0;
  const text = `
SELECT
  CASE row_number() OVER (ORDER BY ${order}) WHEN 1
  THEN concat_ws(' ', h.epoch, h.seq, COALESCE(${counted}, 0), COALESCE(${version}, 0), COALESCE(${TICKS}, 0), ${isCut ? "t.found, t.bytes" : "NULL"}) END AS "$head",
  ${getSelection(table)}
FROM workspace_head h
LEFT JOIN collection_total c ON c.workspace_id = h.workspace_id AND c.collection = $2 AND c.facet = $3
LEFT JOIN LATERAL (
  ${isCut ? cutBySize(table, { query, order: orderBy("q.", slice) }) : query}
) t ON true
WHERE h.workspace_id = $1::uuid
ORDER BY ${order}`;
  return { ...buildStatement<Row>(getStatementName(list, slice), text), instants: "text" };
}

const TICKS = `(SELECT ticks FROM collection_total k
    WHERE k.workspace_id = h.workspace_id AND k.collection = $2 AND k.facet = 'all')`;

/**
 * Up to a limit, the matches are counted in the list's order, by its index: without an order, PostgreSQL may read the
 * whole table for matches that it believes to be everywhere.
 */
function buildCountSql(
  { table, countUpTo }: PageQuery,
  { listed, order }: { listed: string[]; order: string },
): string {
  const matches = `SELECT 1 FROM ${table.name} r WHERE ${listed.join(" AND ")}`;
  const limit = countUpTo === undefined ? "" : ` ORDER BY ${order} LIMIT ${countUpTo + 1}`;
  return `(SELECT count(*) FROM (${matches}${limit}) matches)`;
}

function isCounted({ collection, filter }: PageQuery): boolean {
  return collection === null || typeof filter === "function";
}

function buildConditions({ status, filter }: PageQuery, values: unknown[]): string[] {
  const conditions = ["workspace_id = $1::uuid"];
  if (typeof status === "string") conditions.push(`${toColumnName("status")} = $${values.push(status)}`);
  return [...conditions, ...(filter?.((value) => `$${values.push(value)}`) ?? [])];
}

function positionConditions(slice: Slice, values: unknown[]): string[] {
  const { from, order } = slice;
  if (from === null) return [];
  const at = `$${values.push(from.at)}::timestamptz`;
  const id = `$${values.push(from.id)}::uuid`;
  return [`(${COLUMNS[order.by]}, id) ${isAscending(slice) ? ">" : "<"} (${at}, ${id})`];
}

function getSelection(table: Table): string {
  return SELECTIONS.get(table) ?? listedSelectList("t", table);
}

/** Every connection keeps its named statements, so only default pages have a name. */
function getStatementName(list: PageQuery, { offset, limit, from, backward }: Slice): string {
  if (list.order !== undefined) return "";
  if (offset !== 0 || !USUAL_LIMITS.has(limit) || isCounted(list) || !SELECTIONS.has(list.table)) return "";
  const filter = typeof list.status === "string" ? "status" : "any";
  const start = from === null ? "start" : "from";
  return ["page", list.table.name, filter, start, backward ? "ASC" : "DESC", limit].join("_");
}

const COLUMNS = { createdAt: "created_at", updatedAt: "updated_at" } as const;

function orderBy(alias: string, slice: Slice): string {
  const direction = isAscending(slice) ? "ASC" : "DESC";
  return `${alias}${COLUMNS[slice.order.by]} ${direction}, ${alias}id ${direction}`;
}

/** Rows before a position are read backwards. */
function isAscending({ order, backward }: Slice): boolean {
  return order.isOldestFirst !== backward;
}
