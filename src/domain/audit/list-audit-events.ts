import { buildStatement } from "../../db/sql.ts";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { readCursorText, writeCursorText } from "../kernel/cursor-text.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { PageArgs } from "../kernel/page.ts";
import { type AuditEventView, AUDIT_EVENT_COLUMNS } from "./audit-event-view.ts";

/** An action such as `user.suspended`, or a prefix with an asterisk: `user.*`. */
const ACTION = /^[a-z0-9_.]*\*?$/;

const shape = z.object({
  action: text(LIMITS.labelLength).regex(ACTION, "must be an action, or a prefix followed by *").nullish(),
  actorId: uuid.nullish(),
  targetId: text(LIMITS.nameLength).nullish(),
  since: z.date().nullish(),
  until: z.date().nullish(),
});

type AuditFilter = z.output<typeof shape>;
/** A page of `size` rows from a position, in one direction. */
type Slice = { size: number; backward: boolean; from: string | null };

/** A page of the log: rows before or after a cursor. */
export type AuditPageArgs = Pick<PageArgs, "first" | "after" | "last" | "before">;

/** A page of the audit log, newest first. */
export type AuditPage = {
  nodes: AuditEventView[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Changes with every new row. */
  version: string;
  /** Counts what the filter lets through; null for more than 10,000. */
  count: () => Promise<number | null>;
};

/**
 * Lists the workspace's audit log, newest first. `since` is inclusive, `until` exclusive.
 *
 * @throws {DomainError} forbidden below admin; validation_failed.
 */
export async function listAuditEvents(
  ctx: Ctx,
  page: AuditPageArgs = {},
  filter: z.input<typeof shape> = {},
): Promise<AuditPage> {
  requireRole(ctx, "admin");
  const asked = parseInput(shape, filter);
  const slice = toSlice(page);
  const values: unknown[] = [ctx.workspaceId];
  const where = buildConditions(asked, values);
  if (slice.from !== null)
    where.push(`seq ${slice.backward ? ">" : "<"} $${values.push(slice.from)}::bigint`);
  const rows = await ctx.read(
    buildStatement<AuditEventView & RowHead>("", buildPageSql(where, slice)),
    values,
  );
  const [head] = rows;
  if (head === undefined) throw createNotFoundError("workspace");
  // Without matching rows there is one row with the head only.
  const found = head.id === null ? [] : rows;
  // A page of size 0 has no position to continue from.
  const more = slice.size > 0 && found.length > slice.size;
  const nodes = found.slice(0, slice.size);
  return {
    nodes: slice.backward ? nodes.toReversed() : nodes,
    hasNextPage: slice.backward ? slice.from !== null && nodes.length > 0 : more,
    hasPreviousPage: slice.backward ? more : slice.from !== null,
    version: `${head.$epoch}.${head.$seq}`,
    count: () => countRows(ctx, asked, head),
  };
}

/** The `seq` of the last and first row of the log; 0 and 1 if it is empty. */
type RowHead = { $epoch: string; $seq: bigint; $first: bigint };

/** Returns the opaque cursor of a row. */
export function auditCursor({ seq }: Pick<AuditEventView, "seq">): string {
  return writeCursorText(`a1.${seq}`);
}

function toSlice({ first, after, last, before }: AuditPageArgs): Slice {
  const backward = typeof last === "number";
  if (backward && typeof first === "number") throw createFieldError("last", "can't be combined with first");
  if (backward && typeof after === "string") throw createFieldError("after", "can't be combined with last");
  if (!backward && typeof before === "string") throw createFieldError("before", "needs last");
  const name = backward ? "last" : "first";
  const size = parseInput(z.object({ [name]: SIZE }), { [name]: (backward ? last : first) ?? undefined })[
    name
  ];
  const cursor = backward ? before : after;
  const from = typeof cursor === "string" ? parseSeq(backward ? "before" : "after", cursor) : null;
  return { size: size ?? LIMITS.pageSize.default, backward, from };
}

const SIZE = wholeNumber(LIMITS.pageSize).optional();

function parseSeq(field: string, cursor: string): string {
  const [, seq] = /^a1\.(\d{1,15})$/.exec(readCursorText(cursor) ?? "") ?? [];
  if (seq === undefined) throw createFieldError(field, "is not a cursor of this list");
  return seq;
}

function buildPageSql(where: string[], { size, backward }: Slice): string {
  const direction = backward ? "ASC" : "DESC";
  return `
SELECT h.epoch AS "$epoch", h.audit_seq AS "$seq", ${AUDIT_EVENT_COLUMNS},
  COALESCE((SELECT min(f.seq) FROM audit_event f WHERE f.workspace_id = $1::uuid), 1) AS "$first"
FROM workspace_head h
LEFT JOIN LATERAL (
  SELECT * FROM audit_event WHERE ${where.join(" AND ")} ORDER BY seq ${direction} LIMIT ${size + 1}
) a ON true
WHERE h.workspace_id = $1::uuid ORDER BY a.seq ${direction}`;
}

/** The log has no gaps, so without a filter its ends give the count. */
async function countRows(ctx: Ctx, asked: AuditFilter, { $seq, $first }: RowHead): Promise<number | null> {
  const values: unknown[] = [ctx.workspaceId];
  const where = buildConditions(asked, values);
  if (where.length === 1) return Number($seq - $first) + 1;
  const text = `SELECT count(*)::int AS total FROM (
    SELECT FROM audit_event WHERE ${where.join(" AND ")} LIMIT ${LIMITS.countedMatches + 1}) found`;
  const [counted] = await ctx.read(buildStatement<{ total: number }>("", text), values);
  const total = counted?.total ?? 0;
  return total > LIMITS.countedMatches ? null : total;
}

function buildConditions(
  { action, actorId, targetId, since, until }: AuditFilter,
  values: unknown[],
): string[] {
  const where = ["workspace_id = $1::uuid"];
  if (action) where.push(actionCondition(action, values));
  if (actorId) where.push(`actor ->> 'id' = $${values.push(actorId)}`);
  if (targetId) where.push(`target_id = $${values.push(targetId)}`);
  if (since) where.push(`created_at >= $${values.push(since)}::timestamptz`);
  if (until) where.push(`created_at < $${values.push(until)}::timestamptz`);
  return where;
}

function actionCondition(action: string, values: unknown[]): string {
  if (!action.endsWith("*")) return `action = $${values.push(action)}`;
  const start = action.slice(0, -1).replaceAll("_", String.raw`\_`);
  return `action LIKE $${values.push(`${start}%`)}`;
}
