import { z } from "zod";
import { TraceStatus } from "../../db/generated/enums.ts";
import { NOW } from "../../db/sql.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import type { ListFilter } from "../kernel/page.ts";
import { hasLostSpans } from "./lost-spans.ts";
import type { SpanCondition } from "./search/look-into-traces.ts";
import { SPAN_LIMITS } from "./span-limits.ts";

const dollars = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,12})?$/, "must be dollars as a decimal number, such as 0.25");

const shape = z.object({
  status: z.enum(TraceStatus).nullish(),
  agentId: uuid.nullish(),
  conversationId: text(SPAN_LIMITS.wordLength).nullish(),
  taskId: uuid.nullish(),
  missionId: uuid.nullish(),
  evalRunId: uuid.nullish(),
  from: z.date().nullish(),
  until: z.date().nullish(),
  plumbing: z.boolean().nullish(),
  name: text(SPAN_LIMITS.wordLength).nullish(),
  attribute: z.object({ key: text(SPAN_LIMITS.keyLength), value: text(SPAN_LIMITS.wordLength, 0) }).nullish(),
  tool: text(SPAN_LIMITS.wordLength).nullish(),
  model: text(SPAN_LIMITS.wordLength).nullish(),
  minCostUsd: dollars.nullish(),
  minDurationMs: wholeNumber(SPAN_LIMITS.leastDurationMs).nullish(),
  lost: z.boolean().nullish(),
});

export type TraceFilter = z.input<typeof shape>;

/** What is wanted of traces, and how it is found. */
export type ParsedTraceFilter = {
  /** Conditions that indexes answer. */
  listed: ListFilter;
  /** How traces are searched; null if `listed` is the whole filter. */
  search: { indexed: ListFilter; tried: ListFilter; span: SpanCondition | null } | null;
};

/** @throws {DomainError} validation_failed. */
export function parseTraceFilter(filter: TraceFilter): ParsedTraceFilter {
  const { plumbing, name, attribute, tool, ...fields } = parseInput(shape, filter);
  const shown = plumbing === true ? [] : [() => "NOT plumbing"];
  const span = { name: name ?? null, attribute: attribute ?? null, tool: tool ?? null };
  const ofSpan = Object.values(span).every((one) => one === null) ? null : span;
  const listed = filterBy(fields, LISTED, shown) ?? (() => []);
  if (ofSpan === null && filterBy(fields, TRIED) === null) return { listed, search: null };
  const narrow = NARROW.find((field) => isGiven(fields[field]));
  const [indexed, others] = split(LISTED, new Set([narrow ?? "status", "from", "until"]));
  const [early, late] = narrow === undefined ? [shown, []] : [[], shown];
  return {
    listed,
    search: {
      indexed: filterBy(fields, indexed, early) ?? (() => []),
      tried: filterBy(fields, { ...others, ...TRIED }, late) ?? (() => []),
      span: ofSpan,
    },
  };
}

type Fields = Omit<z.output<typeof shape>, "plumbing" | "name" | "attribute" | "tool">;

const LISTED: Comparisons<Fields> = {
  status: (value) => `status = ${value}::trace_status`,
  agentId: (value) => `agent_id = ${value}::uuid`,
  conversationId: (value) => `conversation_id = ${value}`,
  taskId: (value) => `task_id = ${value}::uuid`,
  missionId: (value) => `mission_id = ${value}::uuid`,
  evalRunId: (value) => `eval_run_id = ${value}::uuid`,
  from: (value) => `created_at >= ${value}::timestamptz`,
  until: (value) => `created_at < ${value}::timestamptz`,
};

/** No index answers these, which are tried on traces `r`. */
const TRIED: Comparisons<Fields> = {
  model: (value) => `models @> ARRAY[${value}::text]`,
  minCostUsd: (value) => `cost_usd >= ${value}::numeric`,
  minDurationMs: (value) =>
    `CASE WHEN open_count > 0 THEN ${NOW} ELSE ended_at END - started_at >= ${value}::int8 * interval '1 millisecond'`,
  lost: (value) => `${hasLostSpans("r")} = ${value}::bool`,
};

/**
 * The first of these that is given narrows a search, by its index: a search counts the rows that it reads. Without one,
 * the index by status does, which also knows what is plumbing.
 */
const NARROW = ["taskId", "missionId", "evalRunId", "conversationId", "agentId"] as const;

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function split(
  comparisons: Comparisons<Fields>,
  names: ReadonlySet<string>,
): [named: Comparisons<Fields>, others: Comparisons<Fields>] {
  const entries = Object.entries(comparisons);
  return [
    Object.fromEntries(entries.filter(([name]) => names.has(name))),
    Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  ];
}
