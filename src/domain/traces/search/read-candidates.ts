import { allowLag, buildStatement } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { ListFilter } from "../../kernel/page.ts";
import type { SearchPosition } from "./search-position.ts";

/** A trace that may be meant, or the last one that was looked at. */
export type Candidate = {
  id: string;
  createdAt: Date;
  day: string;
  spanCount: number;
  matches: boolean;
  /** Its place among those that were looked at, from 1. */
  place: number;
};

export type CandidateQuery = {
  /** Conditions that an index finds, so that no other traces are read. */
  indexed: ListFilter;
  /** Conditions that are tried on each trace `r`. */
  tried: ListFilter;
  after: SearchPosition | null;
  limit: number;
};

/** Reads so many traces and returns those that match, and always the last one. */
export async function readCandidates(ctx: Ctx, query: CandidateQuery): Promise<Candidate[]> {
  const values: unknown[] = [ctx.workspaceId];
  function param(value: unknown): string {
    return `$${values.push(value)}`;
  }
  const where = [
    "workspace_id = $1::uuid",
    ...query.indexed(param),
    ...compareToPosition(query.after, param),
  ];
  const tried = query.tried(param);
  const text = `
SELECT * FROM (
  SELECT r.id, r.created_at AS "createdAt", r.day::text, r.span_count AS "spanCount",
    ${tried.length === 0 ? "true" : tried.join(" AND ")} AS matches,
    (row_number() OVER listed)::int4 AS place, lead(true) OVER listed IS NULL AS "isLast"
  FROM (
    SELECT * FROM trace WHERE ${where.join(" AND ")}
    ORDER BY created_at DESC, id DESC LIMIT ${query.limit}
  ) r
  WINDOW listed AS (ORDER BY r.created_at DESC, r.id DESC)
) c WHERE matches OR "isLast" ORDER BY place`;
  return ctx.read(allowLag(buildStatement<Candidate>("", text)), values);
}

/** A search that stopped within a trace goes on with it. */
function compareToPosition(after: SearchPosition | null, param: (value: unknown) => string): string[] {
  if (after === null) return [];
  const comparison = after.spanId === null ? "<" : "<=";
  return [
    `(created_at, id) ${comparison} (${param(after.createdAt)}::timestamptz, ${param(after.id)}::uuid)`,
  ];
}
