import { sql } from "../../db/sql.ts";
import type { StoredSpan } from "./stored-span.ts";

/** Stores the content of spans of traces of one day. What a copy leaves out is kept. */
export const STORE_CONTENT = sql`
INSERT INTO span_content AS c (workspace_id, day, trace_id, span_id, input, output)
SELECT $1::uuid, $2::date, g.trace_id, decode(g.span_id, 'hex'), g.input, g.output
FROM unnest($3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[]) g (trace_id, span_id, input, output)
ORDER BY g.trace_id, g.span_id
ON CONFLICT (workspace_id, day, trace_id, span_id) DO UPDATE SET
  input = COALESCE(EXCLUDED.input, c.input), output = COALESCE(EXCLUDED.output, c.output)`;

/** The parameters of {@link STORE_CONTENT} after the first two. */
export function toContentColumns(spans: readonly StoredSpan[]): unknown[][] {
  return [
    spans.map(({ traceId }) => traceId),
    spans.map(({ spanId }) => spanId),
    spans.map(({ input }) => input),
    spans.map(({ output }) => output),
  ];
}
