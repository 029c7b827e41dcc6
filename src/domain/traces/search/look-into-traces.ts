import { allowLag, buildStatement } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { Candidate } from "./read-candidates.ts";

/** What one span of a trace must be. */
export type SpanCondition = {
  /** A part of its name, in any case. */
  name: string | null;
  /** An attribute, with a value as text, or as the number or boolean that it reads as. */
  attribute: { key: string; value: string } | null;
  /** The tool that it uses. */
  tool: string | null;
  /** Attributes of it, or of its process, as JSON objects: one of them. */
  someOf?: readonly string[];
};

/** What was found among the first spans of a trace. */
type Look = {
  id: string;
  matches: boolean;
  spans: number;
  /** The last of them. */
  spanId: string;
};

/** The most spans of a trace that are read at once. */
export const SPANS_AT_ONCE = 1000;

/** Looks for the span in each trace, among its first spans after `spanId`. */
export async function lookIntoTraces(
  ctx: Ctx,
  condition: SpanCondition,
  { traces, spanId }: { traces: readonly Candidate[]; spanId: string | null },
): Promise<Look[]> {
  const values: unknown[] = [
    ...[ctx.workspaceId, traces.map(({ id }) => id), traces.map(({ day }) => day), spanId ?? ""],
  ];
  const matches = buildConditions(condition, (value) => `$${values.push(value)}`);
  const text = `
SELECT c.id, bool_or(s.matches) AS matches, count(*)::int4 AS spans, max(encode(s.span_id, 'hex')) AS "spanId"
FROM unnest($2::uuid[], $3::date[]) c (id, day)
CROSS JOIN LATERAL (
  SELECT p.span_id, ${matches.join(" AND ")} AS matches FROM span p
  WHERE p.workspace_id = $1::uuid AND p.day = c.day AND p.trace_id = c.id AND p.span_id > decode($4, 'hex')
  ORDER BY p.span_id LIMIT ${SPANS_AT_ONCE}
) s
GROUP BY c.id`;
  return ctx.read(allowLag(buildStatement<Look>("", text)), values);
}

function buildConditions(
  { name, attribute, tool, someOf }: SpanCondition,
  param: (value: unknown) => string,
): readonly string[] {
  return [
    ...(someOf === undefined ? [] : [buildSomeOf(`${param(someOf)}::jsonb[]`)]),
    ...(attribute === null ? [] : [`p.attributes @> ANY(${param(toObjects(attribute))}::jsonb[])`]),
    ...(tool === null ? [] : [`p.tool_name = ${param(tool)}`]),
    ...(name === null ? [] : [buildNameCondition(param(name))]),
  ];
}

function buildSomeOf(objects: string): string {
  return `(p.attributes @> ANY(${objects}) OR EXISTS (
    SELECT 1 FROM span_resource r
    WHERE r.workspace_id = $1::uuid AND r.id = p.resource_id AND r.attributes @> ANY(${objects})))`;
}

function buildNameCondition(name: string): string {
  return `EXISTS (
    SELECT 1 FROM span_name n
    WHERE n.workspace_id = $1::uuid AND n.id = p.name_id AND strpos(lower(n.name), lower(${name}::text)) > 0)`;
}

/** Numbers as JSON writes them, so that all digits are compared. */
const NUMBER = /^-?(0|[1-9]\d{0,40})(\.\d{1,40})?$/;

/** The objects that have the attribute, as JSON. */
function toObjects({ key, value }: { key: string; value: string }): string[] {
  const written = [JSON.stringify(value)];
  if (value === "true" || value === "false" || NUMBER.test(value)) written.push(value);
  return written.map((json) => `{${JSON.stringify(key)}:${json}}`);
}
