import { type Statement, buildStatement } from "../../db/sql.ts";
import {
  TABLES,
  type Table,
  type UnlistedField,
  toColumnName,
  cutBySize,
  listedSelectList,
} from "../../db/columns.ts";
import type { Ctx } from "./context.ts";
import { readCursorText, writeCursorText } from "./cursor-text.ts";
import { DomainError, createFieldError } from "./errors.ts";
import type { Collection } from "./events.ts";
import { LIMITS } from "./limits.ts";

/** Which part of a list: from an offset, or before or after a node's cursor. Newest comes first. */
export type PageArgs = {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  offset?: number | null | undefined;
  /** The whole list, where no size is given. Only for lists that are bounded. */
  all?: boolean | null | undefined;
};

/** What every listed row has, and the order that it gives. */
export type ListedRow = { id: string; createdAt: Date | string };

/** By what a list is ordered; without it by creation, newest first. */
export type SortOrder = {
  /** An index of the table carries it, followed by the id. */
  by: "createdAt" | "updatedAt";
  isOldestFirst: boolean;
};

/** A row as a page gives it: its instants are ISO 8601 text, which nearly every reader only passes on. */
export type PageRow<Row> = {
  [Field in Exclude<keyof Row, UnlistedField>]: Extract<Row[Field], Date> extends never
    ? Row[Field]
    : Exclude<Row[Field], Date> | string;
};

/** A part of a list, with what holds for the whole at the same instant. */
export type ListPage<Row extends ListedRow> = {
  nodes: PageRow<Row>[];
  /** Every row that the filter lets through, on this page or not; null for more than were counted. */
  total: number | null;
  /** The event that last changed the list. */
  version: bigint;
  /** Changes of the list that have no event, such as progress. */
  ticks: bigint;
  /** The workspace's history that the version counts in: it changes when a backup is restored. */
  epoch: string;
  /** The workspace's newest event: events after it are not in these rows. */
  cursor: string;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** What its cursors count in. */
  orderedBy: SortOrder["by"];
};

/**
 * What a listed row must meet beside its workspace and status, as conditions in SQL. `param` takes a value
 * and gives the placeholder that stands for it.
 */
export type ListFilter = (param: (value: unknown) => string) => string[];

/** What is listed: rows of a table, all of them or those of one status or filter. */
export type PageQuery = {
  /** `name` may also be a query in parentheses. */
  table: Table;
  /** Whose totals and version are kept; null where none are: the rows are counted, by every write a new version. */
  collection: Collection | null;
  status?: string | null | undefined;
  /** Rows under a filter are counted when they are read: all of them, or no more than `countUpTo`. */
  filter?: ListFilter | null | undefined;
  countUpTo?: number;
  page: PageArgs;
  order?: SortOrder | undefined;
};

/** Written once: a table has some thirty columns. */
const SELECTIONS = new Map<Table, string>(
  Object.values(TABLES).map((table) => [table, listedSelectList("t", table)]),
);

const USUAL_LIMITS = new Set([null, 25, 50, 100]);

const NEWEST_FIRST: SortOrder = { by: "createdAt", isOldestFirst: false };

type Position = { at: Date; id: string };
type Slice = {
  limit: number | null;
  offset: number;
  from: Position | null;
  backward: boolean;
  order: SortOrder;
};
/** `found` is how many rows there were, up to one more than the limit: some may be left for the next page. */
type Head = { epoch: string; seq: bigint; total: number; version: bigint; ticks: bigint; found: number };
/** The first row carries the head, as one column; the others have null there. */
type RowWithHead = { $head: string };

/**
 * Reads a page, its list's total and version and the workspace's cursor in one statement, so that all
 * are of one instant. A page of large rows ends early, with more to follow. Without a filter the total is kept, not counted: a page costs the same whatever the
 * list's length.
 *
 * @throws {DomainError} validation_failed for a cursor that is not one of ours, or a size out of range.
 */
export async function readPage<Row extends ListedRow>(ctx: Ctx, list: PageQuery): Promise<ListPage<Row>> {
  const slice = toSlice(list);
  const values: unknown[] = [ctx.workspaceId, list.collection, list.status ?? "all"];
  const statement = statementFor<RowWithHead & PageRow<Row>>(list, slice, values);
  const rows = await ctx.read(statement, values);
  const [first] = rows;
  if (first === undefined) throw new DomainError("not_found", "There is no such workspace.");
  const head = parseHead(first);
  // A list without rows still answers one, with the head alone.
  const found: PageRow<Row>[] = first.id === null ? [] : rows;
  // Behind a page of nothing there is no going on: it has no place to go on from.
  const nodes = slice.limit === null ? found : found.slice(0, slice.limit);
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
  const [seq = "0", total = "0", version = "0", ticks = "0", found = "0"] = numbers;
  return {
    ...{ epoch, seq: BigInt(seq), total: Number(total), found: Number(found) },
    ...{ version: BigInt(version), ticks: BigInt(ticks) },
  };
}

/** Where a row stands in a list in the order of creation, opaque to clients. */
export function positionCursor({ createdAt, id }: ListedRow): string {
  return writeCursorText(`${new Date(createdAt).getTime()}.${id}`);
}

/** Where a row stands in a list in the order of the last change: another order refuses it. */
export function changeCursor({ updatedAt, id }: { updatedAt: Date | string; id: string }): string {
  return writeCursorText(`u${new Date(updatedAt).getTime()}.${id}`);
}

/** Where the workspace's events stand, opaque to clients. */
export function eventCursor(epoch: string, seq: bigint): string {
  return writeCursorText(`v1.${epoch}.${seq}`);
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
    limit: size ?? (page.all === true ? null : LIMITS.pageSize.default),
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

function parsePosition(field: string, cursor: string, { by }: SortOrder): Position {
  const text = readCursorText(cursor);
  const match = /^(u?)(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? "");
  const [, mark, milliseconds, id] = match ?? [];
  const isOfOrder = mark === (by === "updatedAt" ? "u" : "");
  if (!isOfOrder || milliseconds === undefined || id === undefined) {
    throw createFieldError(field, "is not a cursor of this list");
  }
  return { at: new Date(Number(milliseconds)), id };
}

/** Limit and offset stand in the text: as parameters they would hide from the planner how little is asked. */
function statementFor<Row extends object>(list: PageQuery, slice: Slice, values: unknown[]): Statement<Row> {
  const { table } = list;
  const listed = buildConditions(list, values);
  const counted = isCounted(list) ? buildCountSql(list, listed) : "c.total";
  const version = list.collection === null ? "h.seq" : "c.version";
  const where = [...listed, ...positionConditions(slice, values)];
  const limit = slice.limit === null ? "" : `LIMIT ${slice.limit + 1}`;
  const offset = slice.offset === 0 ? "" : `OFFSET ${slice.offset}`;
  const order = orderBy("t.", slice);
  const keys = `SELECT * FROM ${table.name} r WHERE ${where.join(" AND ")} ORDER BY ${orderBy("", slice)} ${limit} ${offset}`;
  const query = table.complete?.(keys) ?? keys;
  const isCut = table.large !== undefined && table.large.length > 0;
  const text = `
SELECT
  CASE row_number() OVER (ORDER BY ${order}) WHEN 1
  THEN concat_ws(' ', h.epoch, h.seq, COALESCE(${counted}, 0), COALESCE(${version}, 0), COALESCE(${TICKS}, 0), ${isCut ? "t.found" : "NULL"}) END AS "$head",
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

function buildCountSql({ table, countUpTo }: PageQuery, listed: string[]): string {
  const matches = `SELECT 1 FROM ${table.name} r WHERE ${listed.join(" AND ")}`;
  return `(SELECT count(*) FROM (${matches}${countUpTo === undefined ? "" : ` LIMIT ${countUpTo + 1}`}) matches)`;
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

/** Every name is kept by every connection, so only what clients ask for by default has one. */
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

/** What comes before a place is read from there towards the beginning. */
function isAscending({ order, backward }: Slice): boolean {
  return order.isOldestFirst !== backward;
}
