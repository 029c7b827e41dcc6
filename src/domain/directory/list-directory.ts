import { PAGE_BYTES } from "../../db/columns.ts";
import { buildStatement } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { type BindValue, compileFilter } from "./compile-filter.ts";
import { type CursorPosition, decodeCursor, encodeCursor, createCursorError } from "./cursor.ts";
import { type ScimFilter, requireBounded } from "./filter.ts";
import { requireAffordable } from "./filter-price.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Resource, SELECT_AGENT, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";
import { type DirectorySort, type SortKey, compileSort } from "./sort.ts";

/** The size of a page: default and maximum. */
export const DIRECTORY_PAGE = { default: 100, most: 200 } as const;

/**
 * The filter, order and page. `startIndex` counts from 1. `cursor` is from another page, or empty for the
 * first page. A null `count` means the cursor's or the default.
 */
export type DirectoryQuery = {
  types: readonly ResourceTypeName[];
  where: ScimFilter | null;
  sort: DirectorySort | null;
  count: number | null;
  startIndex: number;
  cursor: string | null;
  /** Whether groups include their members. */
  members: boolean;
};

/**
 * A page of the directory, which ends early if its resources are large. `total` is the exact number of matches. The cursors are for the next and
 * previous page; null if there is none, or if the query has no cursor.
 */
export type DirectoryPage = {
  resources: Resource[];
  total: number;
  nextCursor: string | null;
  previousCursor: string | null;
};

/**
 * Lists users, groups, agents, or all of them. By default the oldest come first, so that pages stay the same while
 * resources are added.
 *
 * @throws {DomainError} forbidden; invalid_filter; invalid_cursor; invalid_count if it differs from the
 *   cursor's; validation_failed for a sort or a count.
 * @see RFC 7644, 3.4.2; RFC 9865.
 */
export async function listDirectory(ctx: Ctx, asked: DirectoryQuery): Promise<DirectoryPage> {
  requireDirectoryReader(ctx);
  requireInBounds(asked);
  const from = decodePosition(asked);
  const query = { ...asked, count: resolveCount(asked, from) };
  const values: unknown[] = [ctx.workspaceId];
  const text = buildText(query, from, (value) => `$${values.push(value)}`);
  const rows = await ctx.read(buildStatement<Row>(getStatementName(query, text), text), values);
  const found = rows.filter(({ id }) => id !== null);
  // The resources before the cursor were deleted, so this is the first page.
  if (from?.isBackward === true && found.length === 0) return listDirectory(ctx, { ...query, cursor: "" });
  return { ...toPage(query, from, found), total: Number(rows[0]?.total ?? 0) };
}

function requireInBounds({ types, count, startIndex, where }: DirectoryQuery): void {
  if (count !== null && (!Number.isInteger(count) || count < 0 || count > DIRECTORY_PAGE.most)) {
    throw createFieldError("count", `must be a whole number from 0 to ${DIRECTORY_PAGE.most}`);
  }
  if (!Number.isSafeInteger(startIndex) || startIndex < 1)
    throw createFieldError("startIndex", "must be at least 1");
  if (where === null) return;
  requireBounded(where);
  requireAffordable(types, where);
}

/** All pages of a query must have the same count. @see RFC 9865, 2 and 2.1. */
function resolveCount({ count }: DirectoryQuery, from: CursorPosition | null): number {
  if (from === null) return count ?? DIRECTORY_PAGE.default;
  if (from.count > DIRECTORY_PAGE.most) throw createCursorError();
  if (count === null || count === from.count) return from.count;
  throw new DomainError("invalid_count", `count must be ${from.count}, as on the first page.`, {
    field: "count",
  });
}

function decodePosition(query: DirectoryQuery): CursorPosition | null {
  return query.cursor === null || query.cursor === ""
    ? null
    : decodeCursor(query.cursor, getCursorQuery(query));
}

/** The parts of a query for which a cursor is valid. */
function getCursorQuery({ types, where, sort }: DirectoryQuery) {
  return { types, where, sort };
}

type Counted = DirectoryQuery & { count: number };

function toPage(query: Counted, from: CursorPosition | null, found: Row[]): Omit<DirectoryPage, "total"> {
  const { count, cursor } = query;
  const isBackward = from?.isBackward === true;
  const resources = isBackward ? found.slice(-count) : found.slice(0, count);
  const [first, last] = [resources[0], resources.at(-1)];
  if (cursor === null || first === undefined || last === undefined)
    return { resources, nextCursor: null, previousCursor: null };
  const isMore = Number(first.$found) > resources.length;
  const hasPrevious = isBackward ? isMore : from !== null;
  return {
    resources,
    nextCursor: isMore || isBackward ? buildCursor(query, last, false) : null,
    previousCursor: hasPrevious ? buildCursor(query, first, true) : null,
  };
}

function buildCursor(query: Counted, { sortKey, createdAt, id }: Row, isBackward: boolean): string {
  return encodeCursor({ key: sortKey, createdAt, id, isBackward, count: query.count }, getCursorQuery(query));
}

const NAMED_AT_MOST = 100;
const names = new Map<string, string>();

/**
 * Identity providers repeat a few simple queries, which are prepared. An offset is part of the statement's
 * text, so pages by index are not prepared.
 */
function getStatementName({ where, startIndex }: DirectoryQuery, text: string): string {
  const isSimple = startIndex === 1 && (where === null || where.kind === "compare" || where.kind === "some");
  const known = names.get(text);
  if (known !== undefined || !isSimple) return known ?? "";
  if (names.size >= NAMED_AT_MOST) return "";
  const name = `directory_${names.size}`;
  names.set(text, name);
  return name;
}

/** `$found` is the number of rows before the page was cut. */
type Row = Resource & { total: bigint; sortKey: string | null; $found: bigint };

function buildText(query: Counted, from: CursorPosition | null, bind: BindValue): string {
  const { where, types, cursor, count, startIndex } = query;
  const keys = types.map((type) => (query.sort === null ? null : compileSort(type, query.sort.path)));
  const key = keys.find((each) => each !== null);
  if (query.sort !== null && key === undefined) {
    throw createFieldError("sortBy", `${query.sort.path.join(".")} is not an attribute`);
  }
  const matched = types.map((type, at) =>
    buildMatchSql(query, { type, key: keys[at] ?? null, keyType: key?.type }, bind),
  );
  const after = from === null ? "" : `WHERE ${keyset(query, { from, keyType: key?.type }, bind)}`;
  // One row more shows whether there is another page.
  const slice = cursor === null ? `LIMIT ${count} OFFSET ${startIndex - 1}` : `LIMIT ${count + 1}`;
  const shown = types.map((type) => buildResourceSql(type, query.members));
  return `
WITH matched AS (${matched.join(" UNION ALL ")}),
page AS (SELECT * FROM matched m ${after} ORDER BY ${orderBy(query, "m", from?.isBackward)} ${slice}),
cut AS (SELECT * FROM (
  SELECT p.*, count(*) OVER () AS found,
    sum(${buildSizeSql(query)}) OVER (ORDER BY ${orderBy(query, "p", from?.isBackward)}
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
  FROM page p) sized WHERE bytes_before IS NULL OR bytes_before < ${PAGE_BYTES})
SELECT t.total, p."sortKey"::text, p.found AS "$found", r.*
FROM (SELECT ${where === null ? buildTotalSql(types) : "(SELECT count(*) FROM matched)"} AS total) t
LEFT JOIN (cut p CROSS JOIN LATERAL (${shown.join(" UNION ALL ")}) r) ON TRUE
ORDER BY ${orderBy(query, "p")}`;
}

/** The usual size of a membership in a group or an email address. */
const ELEMENT_BYTES = 128;

/** The usual size of an agent. */
const AGENT_BYTES = 1024;

/** Estimates a resource's size from what can be read quickly. */
function buildSizeSql({ members }: DirectoryQuery): string {
  const profile = `(SELECT pg_column_size(u.profile) FROM "user" u WHERE u.workspace_id = $1::uuid AND u.id = p.id)`;
  const ofUser = `${countElementsSql("user_email", "user_id")} + ${countElementsSql("group_member", "user_id")}`;
  const ofGroup = members ? countElementsSql("group_member", "group_id") : "0";
  return `CASE p.type WHEN 'User' THEN ${profile} + ${ELEMENT_BYTES} * (${ofUser})
    WHEN 'Group' THEN ${ELEMENT_BYTES} * ${ofGroup} ELSE ${AGENT_BYTES} END`;
}

function countElementsSql(table: string, owner: string): string {
  return `(SELECT count(*) FROM ${table} e WHERE e.workspace_id = $1::uuid AND e.${owner} = p.id)`;
}

/** `isKept`: deleted rows are marked as such. */
type Table = { alias: string; table: string; isKept: boolean };

const TABLES: Record<ResourceTypeName, Table> = {
  User: { alias: "u", table: '"user"', isKept: true },
  Group: { alias: "g", table: '"group"', isKept: false },
  Agent: { alias: "a", table: "agent", isKept: true },
};

type Matched = { type: ResourceTypeName; key: SortKey | null; keyType: SortKey["type"] | undefined };

function buildMatchSql(
  { where, types }: DirectoryQuery,
  { type, key, keyType }: Matched,
  bind: BindValue,
): string {
  const { alias, table, isKept } = TABLES[type];
  const notDeleted = isKept ? ` AND ${alias}.deleted_at IS NULL` : "";
  const condition =
    where === null ? "" : ` AND (${compileFilter({ type, isRoot: types.length > 1 }, where, bind)})`;
  return `SELECT '${type}' AS type, ${alias}.id, ${alias}.created_at, ${key?.sql ?? buildNullKeySql(keyType)} AS "sortKey"
    FROM ${table} ${alias} WHERE ${alias}.workspace_id = $1::uuid${notDeleted}${condition}`;
}

function buildNullKeySql(type: SortKey["type"] = "text"): string {
  return `NULL::${type}${type === "text" ? ' COLLATE "C"' : ""}`;
}

/** Resources without a value come last, or first in descending order. @see RFC 7644, 3.4.2.3. */
function orderBy({ sort }: DirectoryQuery, alias: string, isBackward = false): string {
  const tie = isBackward ? " DESC" : "";
  const end = `${alias}.created_at${tie}, ${alias}.id${tie}`;
  if (sort === null) return end;
  return `${alias}."sortKey" ${isUpward(sort, isBackward) ? "ASC NULLS LAST" : "DESC NULLS FIRST"}, ${end}`;
}

/** Whether keys increase in the direction in which the list is read. */
function isUpward({ descending }: DirectorySort, isBackward: boolean): boolean {
  return descending === isBackward;
}

/** The SQL condition for resources after, or before, a position. */
function keyset(
  { sort }: DirectoryQuery,
  { from, keyType = "text" }: { from: CursorPosition; keyType: SortKey["type"] | undefined },
  bind: BindValue,
): string {
  const { key, createdAt, id, isBackward } = from;
  const place = `(${bind(createdAt)}::timestamptz, ${bind(id)}::uuid)`;
  const beyond = `(m.created_at, m.id) ${isBackward ? "<" : ">"} ${place}`;
  if (sort === null) return beyond;
  const isUp = isUpward(sort, isBackward);
  if (key === null) {
    return isUp ? `(m."sortKey" IS NULL AND ${beyond})` : `(m."sortKey" IS NOT NULL OR ${beyond})`;
  }
  if (!WRITTEN[keyType].test(key)) throw createCursorError();
  const bound = `${bind(key)}::${keyType}${keyType === "text" ? ' COLLATE "C"' : ""}`;
  const other = isUp ? `m."sortKey" > ${bound} OR m."sortKey" IS NULL` : `m."sortKey" < ${bound}`;
  return `(${other} OR (m."sortKey" = ${bound} AND ${beyond}))`;
}

/** The format of each key type in PostgreSQL's text. */
const WRITTEN: Record<SortKey["type"], RegExp> = {
  text: /^/,
  boolean: /^(?:true|false)$/,
  timestamptz: /^[\d-]{10} [\d:.]{8,12}[+-][\d:]+$/,
};

function buildResourceSql(type: ResourceTypeName, members: boolean): string {
  const group = selectGroup({ members: members ? "all" : "none" });
  const select = { User: SELECT_USER, Group: group, Agent: SELECT_AGENT }[type];
  const { alias } = TABLES[type];
  return `${select} WHERE ${alias}.workspace_id = $1::uuid AND ${alias}.id = p.id AND p.type = '${type}'`;
}

/** For a whole list, adds up the totals of its types. */
function buildTotalSql(types: readonly ResourceTypeName[]): string {
  return `(${types.map((type) => TOTALS[type]).join(" + ")})::bigint`;
}

/** Stored totals cost the same for any number. That of agents counts those too that were deleted here. */
const TOTALS: Record<ResourceTypeName, string> = {
  User: readTotalSql("users"),
  Group: readTotalSql("groups"),
  Agent: "(SELECT count(*) FROM agent a WHERE a.workspace_id = $1::uuid AND a.deleted_at IS NULL)",
};

function readTotalSql(collection: "users" | "groups"): string {
  return `COALESCE((SELECT total FROM collection_total
    WHERE workspace_id = $1::uuid AND facet = 'all' AND collection = '${collection}'), 0)`;
}
