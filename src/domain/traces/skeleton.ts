import type { SpanOp } from "../../db/generated/enums.ts";
import { SPAN_STATUS, type SpanStatus } from "./lost-spans.ts";

/**
 * What a waterfall shows of the spans of a trace, column by column: ten thousand objects would cost more than reading
 * them.
 */
export type TraceSkeleton = {
  /** The names of spans, each once, with a mark where they are truncated. */
  names: string[];
  /** The models that they say, each once. */
  models: string[];
  id: string[];
  /** The ids of the parents, which may not be spans of the trace. */
  parent: (string | null)[];
  /** Places in `names`. */
  name: number[];
  /** Places in `models`; null if a span says none. */
  model: (number | null)[];
  kind: number[];
  op: SpanOp[];
  /** Whether it is a span of the service itself. */
  service: boolean[];
  status: SpanStatus[];
  /** Microseconds since the trace started. */
  start_us: number[];
  /** Null while a span is open. */
  duration_us: (number | null)[];
  /** Of the whole prompt and the answer; null if a span says none. */
  tokens: (number | null)[];
  /** US dollars as a decimal number; null if nobody knows it. */
  cost_usd: (string | null)[];
  /** Whether tokens and cost are a sum over calls within. */
  sum: boolean[];
  /** The id after which the next page begins; null on the last one. */
  next: string | null;
};

type Columns = Omit<TraceSkeleton, "name" | "model" | "models" | "next"> & { models: (string | null)[] };

/** What {@link selectSkeleton} reads. `names` and `models` are those of each span. */
export type SkeletonRow = { columns: Columns };

/** About how much is read of a span besides its name. */
const SPAN_BYTES = 160;
/** Characters of a name. A page of whole ones would be many times as large. */
const NAME_LENGTH = 200;

/** How much was read for it. */
export function countSkeletonBytes({ columns: { names } }: SkeletonRow): number {
  return names.reduce((sum, { length }) => sum + SPAN_BYTES + length, 0);
}

/** Builds a page of at most `size` spans, of which one more was read if there are more. */
export function toSkeleton({ columns }: SkeletonRow, size: number): TraceSkeleton {
  const { names: allNames, models: allModels, ...others } = columns;
  const [names, name] = shareTexts(allNames);
  const [models, model] = shareTexts(allModels);
  const page = { ...others, name, model };
  const hasMore = name.length > size;
  // Each column has as many elements as there are spans.
  if (hasMore) for (const column of Object.values(page)) column.pop();
  return { names, models, ...page, next: hasMore ? (page.id.at(-1) ?? null) : null };
}

/** @returns each text once, and the place of each one's. */
function shareTexts<Text extends string | null>(
  all: readonly Text[],
): [texts: string[], at: (Text extends null ? number | null : number)[]] {
  const places = new Map<string, number>();
  const at = all.map((text) => {
    if (text === null) return null;
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  // A place is null only where its text is.
  return [[...places.keys()], at as (Text extends null ? number | null : number)[]];
}

const COLUMNS = [
  ...["names", "models", "id", "parent", "kind", "op", "service", "status"],
  ...["start_us", "duration_us", "tokens", "cost_usd", "sum"],
].map((name) => `'${name}', COALESCE(json_agg(p.${name}), '[]')`);

/** SQL that reads the skeleton of spans `s` of traces `t`. `which`: conditions, order and limit of the spans. */
export function selectSkeleton(which: string): string {
  return `
SELECT json_build_object(${COLUMNS.join(", ")}) AS columns
FROM trace t CROSS JOIN LATERAL (
  SELECT CASE WHEN length(n.name) > ${NAME_LENGTH} THEN left(n.name, ${NAME_LENGTH - 1}) || '…'
      ELSE COALESCE(n.name, '') END AS names, s.model AS models, encode(s.span_id, 'hex') AS id,
    encode(s.parent_span_id, 'hex') AS parent, s.kind, s.op, s.credential_agent_id IS NULL AS service,
    ${SPAN_STATUS} AS status, (extract(epoch FROM s.started_at - t.started_at) * 1000000)::int8 AS start_us,
    (extract(epoch FROM s.ended_at - s.started_at) * 1000000)::int8 AS duration_us,
    COALESCE(s.input_tokens + COALESCE(s.output_tokens, 0), s.output_tokens) AS tokens,
    s.cost_usd::text AS cost_usd, s.usage_role = 'aggregate' AS sum
  FROM span s LEFT JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
  WHERE s.workspace_id = t.workspace_id AND s.day = t.day AND s.trace_id = t.id AND ${which}
) p`;
}
