import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { SpanOp, TraceStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import { spanId } from "./trace-ids.ts";

/**
 * What a waterfall shows of the spans of a trace, column by column: ten thousand objects would cost more than reading
 * them. Spans are in the order of their ids.
 */
export type TraceSkeleton = {
  /** The names of spans, each once. */
  names: string[];
  id: string[];
  /** The ids of the parents, which may not be spans of the trace. */
  parent: (string | null)[];
  /** Places in `names`. */
  name: number[];
  kind: number[];
  op: SpanOp[];
  status: TraceStatus[];
  /** Microseconds since the trace started. */
  start_us: number[];
  /** Null while a span is open. */
  duration_us: (number | null)[];
  /** The id after which the next page begins; null on the last one. */
  next: string | null;
};

/** The most spans of a page. */
export const SKELETON_PAGE = { min: 1, max: 20_000 } as const;

const shape = z.object({
  /** The trace's UUID. */
  id: uuid,
  after: spanId.nullish(),
  first: wholeNumber(SKELETON_PAGE).nullish(),
});

/**
 * Reads the skeleton of a trace. Empty if there is no such trace.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed.
 */
export async function readSkeleton(ctx: Ctx, input: z.input<typeof shape>): Promise<TraceSkeleton> {
  requireScope(ctx, "traces:read");
  const { id, after, first } = parseInput(shape, input);
  const size = first ?? SKELETON_PAGE.max;
  const [row] = await ctx.read(SKELETON, [ctx.workspaceId, id, after ?? "", size + 1]);
  if (row === undefined) throw new Error("a trace was read without a result");
  const { names: all, ...columns } = row.columns;
  const places = new Map<string, number>();
  const name = all.map((one) => {
    const place = places.get(one) ?? places.size;
    places.set(one, place);
    return place;
  });
  countReadBytes(ctx, all.length * SPAN_BYTES);
  const page = { ...columns, name };
  const hasMore = all.length > size;
  // Each column has as many elements as there are spans.
  if (hasMore) for (const column of Object.values(page)) column.pop();
  return { names: [...places.keys()], ...page, next: hasMore ? (page.id.at(-1) ?? null) : null };
}

/** About how much is read of a span. */
const SPAN_BYTES = 150;

type Columns = Omit<TraceSkeleton, "name" | "next">;

const SKELETON = sql<{ columns: Columns }>`
SELECT json_build_object(
  'names', COALESCE(json_agg(p.name), '[]'), 'id', COALESCE(json_agg(p.id), '[]'),
  'parent', COALESCE(json_agg(p.parent), '[]'), 'kind', COALESCE(json_agg(p.kind), '[]'),
  'op', COALESCE(json_agg(p.op), '[]'), 'status', COALESCE(json_agg(p.status), '[]'),
  'start_us', COALESCE(json_agg(p.start_us), '[]'), 'duration_us', COALESCE(json_agg(p.duration_us), '[]')
) AS columns
FROM trace t CROSS JOIN LATERAL (
  SELECT COALESCE(n.name, '') AS name, encode(s.span_id, 'hex') AS id, encode(s.parent_span_id, 'hex') AS parent,
    s.kind, s.op, s.status, (extract(epoch FROM s.started_at - t.started_at) * 1000000)::int8 AS start_us,
    (extract(epoch FROM s.ended_at - s.started_at) * 1000000)::int8 AS duration_us
  FROM span s LEFT JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
  WHERE s.workspace_id = t.workspace_id AND s.day = t.day AND s.trace_id = t.id AND s.span_id > decode($3, 'hex')
  ORDER BY s.span_id LIMIT $4::int
) p
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
