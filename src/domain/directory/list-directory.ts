import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import type { Collection } from "../kernel/events.ts";
import { type BindValue, compileFilter } from "./compile-filter.ts";
import { type CursorPosition, decodeCursor, encodeCursor, createCursorError } from "./cursor.ts";
import { type ScimFilter, requireBounded } from "./filter.ts";
import { requireAffordable } from "./filter-price.ts";
import { requireDirectoryReader } from "./guard.ts";
import { type Resource, SELECT_USER, selectGroup } from "./resource.ts";
import type { ResourceTypeName } from "./resource-types.ts";
import { type DirectorySort, type SortKey, compileSort } from "./sort.ts";

/** How many resources a page has: where nothing is said, and at most. */
export const DIRECTORY_PAGE = { default: 100, most: 200 } as const;

/**
 * Which resources, in which order, and which part of them: `startIndex` counts from 1; a `cursor` is one
 * that a page gave, or the empty text for the first page. A null `count` is the cursor's, or the default.
 */
export type DirectoryQuery = {
  types: readonly ResourceTypeName[];
  where: ScimFilter | null;
  sort: DirectorySort | null;
  count: number | null;
  startIndex: number;
  cursor: string | null;
  /** Whether groups show their members. */
  members: boolean;
};

/**
 * A part of the directory; `total` counts all that the filter lets through, and is exact. The cursors
 * lead to the pages behind and before this one, and are null where there is none, or no cursor was asked for.
 */
export type DirectoryPage = {
  resources: Resource[];
  total: number;
  nextCursor: string | null;
  previousCursor: string | null;
};

/**
 * Lists users, groups or both: by default the oldest first, so that pages stay as they are while others
 * are added.
 *
 * @throws {DomainError} forbidden; invalid_filter; invalid_cursor; invalid_count where the cursor's is another;
 *   validation_failed for a sort or a count.
 * @see RFC 7644, 3.4.2; RFC 9865.
 */
export async function listDirectory(ctx: Ctx, asked: DirectoryQuery): Promise<DirectoryPage> {
  requireDirectoryReader(ctx);
  requireInBounds(asked);
  const from = decodePosition(asked);
  const query = { ...asked, count: resolveCount(asked, from) };
  const values: unknown[] = [ctx.workspaceId];
  const text = buildStatement(query, from, (value) => `$${values.push(value)}`);
  const rows = await ctx.read<Row>({ name: getStatementName(query, text), text }, values);
  const found = rows.filter(({ id }) => id !== null);
  // Whoever stood before is gone, so that the list begins with what stood behind.
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

/** @see RFC 9865, 2 and 2.1: all pages of a query are asked for with one count. */
function resolveCount({ count }: DirectoryQuery, from: CursorPosition | null): number {
  if (from === null) return count ?? DIRECTORY_PAGE.default;
  if (from.count > DIRECTORY_PAGE.most) throw createCursorError();
  if (count === null || count === from.count) return from.count;
  throw new DomainError("invalid_count", `count must stay ${from.count}, as for the first page.`, {
    field: "count",
  });
}

function decodePosition(query: DirectoryQuery): CursorPosition | null {
  return query.cursor === null || query.cursor === ""
    ? null
    : decodeCursor(query.cursor, getCursorQuery(query));
}

/** What a cursor holds for. */
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
  const isMore = found.length > count;
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
 * Identity providers ask for a few simple things again and again: these are prepared, and kept by each
 * connection. A place in the list stands in the text, so each page by index would be one of its own.
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

type Row = Resource & { total: bigint; sortKey: string | null };

function buildStatement(query: Counted, from: CursorPosition | null, bind: BindValue): string {
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
  // One more than asked tells whether another page is there.
  const slice = cursor === null ? `LIMIT ${count} OFFSET ${startIndex - 1}` : `LIMIT ${count + 1}`;
  const shown = types.map((type) => buildResourceSql(type, query.members));
  return `
WITH matched AS (${matched.join(" UNION ALL ")}),
page AS (SELECT * FROM matched m ${after} ORDER BY ${orderBy(query, "m", from?.isBackward)} ${slice})
SELECT t.total, p."sortKey"::text, r.*
FROM (SELECT ${where === null ? buildTotalSql(types) : "(SELECT count(*) FROM matched)"} AS total) t
LEFT JOIN (page p CROSS JOIN LATERAL (${shown.join(" UNION ALL ")}) r) ON TRUE
ORDER BY ${orderBy(query, "p")}`;
}

type Matched = { type: ResourceTypeName; key: SortKey | null; keyType: SortKey["type"] | undefined };

function buildMatchSql(
  { where, types }: DirectoryQuery,
  { type, key, keyType }: Matched,
  bind: BindValue,
): string {
  const [alias, table] = type === "User" ? ["u", `"user" u`] : ["g", `"group" g`];
  const notDeleted = type === "User" ? " AND u.deleted_at IS NULL" : "";
  const condition =
    where === null ? "" : ` AND (${compileFilter({ type, isRoot: types.length > 1 }, where, bind)})`;
  return `SELECT '${type}' AS type, ${alias}.id, ${alias}.created_at, ${key?.sql ?? buildNullKeySql(keyType)} AS "sortKey"
    FROM ${table} WHERE ${alias}.workspace_id = $1::uuid${notDeleted}${condition}`;
}

function buildNullKeySql(type: SortKey["type"] = "text"): string {
  return `NULL::${type}${type === "text" ? ' COLLATE "C"' : ""}`;
}

/** Without a value a resource is the last, or the first in descending order. @see RFC 7644, 3.4.2.3. */
function orderBy({ sort }: DirectoryQuery, alias: string, isBackward = false): string {
  const tie = isBackward ? " DESC" : "";
  const end = `${alias}.created_at${tie}, ${alias}.id${tie}`;
  if (sort === null) return end;
  return `${alias}."sortKey" ${isUpward(sort, isBackward) ? "ASC NULLS LAST" : "DESC NULLS FIRST"}, ${end}`;
}

/** Whether keys rise in the direction in which the list is read. */
function isUpward({ descending }: DirectorySort, isBackward: boolean): boolean {
  return descending === isBackward;
}

/** What stands behind a position in the order, or before it. */
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

/** How PostgreSQL writes a key as text. */
const WRITTEN: Record<SortKey["type"], RegExp> = {
  text: /^/,
  boolean: /^(?:true|false)$/,
  timestamptz: /^[\d-]{10} [\d:.]{8,12}[+-][\d:]+$/,
};

function buildResourceSql(type: ResourceTypeName, members: boolean): string {
  if (type === "User")
    return `${SELECT_USER} WHERE u.workspace_id = $1::uuid AND u.id = p.id AND p.type = 'User'`;
  const select = selectGroup({ members: members ? "all" : "none" });
  return `${select} WHERE g.workspace_id = $1::uuid AND g.id = p.id AND p.type = 'Group'`;
}

const COLLECTIONS: Record<ResourceTypeName, Collection> = { User: "users", Group: "groups" };

/** Of a whole list the kept total is read: it costs the same whatever the length. */
function buildTotalSql(types: readonly ResourceTypeName[]): string {
  const names = types.map((type) => `'${COLLECTIONS[type]}'`).join(", ");
  return `COALESCE((SELECT sum(total) FROM collection_total
    WHERE workspace_id = $1::uuid AND facet = 'all' AND collection IN (${names})), 0)::bigint`;
}
