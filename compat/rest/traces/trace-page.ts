import { z } from "@hono/zod-openapi";
import { SPAN_LIMITS } from "../../../src/domain/traces/span-limits.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { optionalInteger, pageParameters, pagination, toPagination } from "../shared/parameters.ts";
import { dateTime, newDateTime, omitUndefined, text, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { STATUSES, flag } from "./trace-shape.ts";

const MAX_OFFSET = 100_000;

const word = text(SPAN_LIMITS.wordLength);

/** The parameters of the list of traces. */
export const traceListQuery = z.strictObject({
  ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
  cursor: z
    .string()
    .optional()
    .openapi({ description: "`next_cursor` of the page before, instead of an offset." }),
  agent_id: uuid.optional().openapi({ description: "Only traces of this agent." }),
  status: z.enum(STATUSES).optional().openapi({ description: "Only traces with this status." }),
  conversation_id: word.optional().openapi({ description: "As spans say in `gen_ai.conversation.id`." }),
  task_id: uuid.optional().openapi({ description: "Only traces of this task." }),
  mission_id: uuid.optional().openapi({ description: "Only traces of this mission." }),
  eval_run_id: uuid.optional().openapi({ description: "Only traces of items of this evaluation run." }),
  from: newDateTime.optional().openapi({ description: "Only traces that began to arrive then or later." }),
  to: newDateTime.optional().openapi({ description: "Only traces that began to arrive earlier." }),
  plumbing: flag.openapi({
    description: "Also traces in which no span is known as an agent's work and none failed.",
  }),
  name: word.optional().openapi({ description: "A part of the name of a span, in any case. Searches." }),
  attr: text(SPAN_LIMITS.keyLength + SPAN_LIMITS.wordLength + 1)
    .regex(/^[^:]+:/, "must be key:value")
    .optional()
    .openapi({
      description: "An attribute of a span, as `key:value`: a text, number or boolean. Searches.",
      example: "http.response.status_code:500",
    }),
  tool: word.optional().openapi({ description: "The tool that a span uses. Searches." }),
  model: word.optional().openapi({ description: "A model that a call used. Searches." }),
  min_cost: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/, "must be dollars as a decimal number, such as 0.25")
    .optional()
    .openapi({ description: "In US dollars. Searches.", example: "0.25" }),
  min_duration_ms: optionalInteger(SPAN_LIMITS.leastDurationMs).openapi({
    description: "While a span is open, the trace goes on. Searches.",
  }),
  lost: flag.openapi({ description: "Whether one of its open spans is `lost`. Searches." }),
});

type Query = z.output<typeof traceListQuery>;

/** Converts the parameters to the fields of the GraphQL filter. */
export function toTraceFilter(query: Query) {
  const { agent_id: agentId, status, plumbing, lost, attr, from, to, name, tool, model } = query;
  return omitUndefined({
    from,
    until: to,
    conversationId: query.conversation_id,
    name,
    tool,
    model,
    taskUuid: query.task_id,
    missionUuid: query.mission_id,
    evalRunUuid: query.eval_run_id,
    minCostUsd: query.min_cost,
    minDurationMs: query.min_duration_ms,
    ...(plumbing !== undefined && { plumbing: plumbing === "true" }),
    ...(lost !== undefined && { lost: lost === "true" }),
    ...(status !== undefined && { status: toGraphqlEnum(status) }),
    ...(agentId !== undefined && { agentId: toGlobalId("Agent", agentId) }),
    ...(attr !== undefined && { attribute: toAttribute(attr) }),
  });
}

function toAttribute(attr: string): { key: string; value: string } {
  const end = attr.indexOf(":");
  return { key: attr.slice(0, end), value: attr.slice(end + 1) };
}

export const tracePagination = z
  .strictObject({
    ...pagination.shape,
    next_cursor: z.string().nullable().openapi({ description: "`cursor` of the next page." }),
    searched_until: dateTime.nullable().openapi({
      description:
        "Up to when a search came that stopped before it found a whole page. It goes on after `next_cursor`.",
    }),
  })
  .openapi("TracePagination");

type TracePagination = z.output<typeof tracePagination>;

/** Parameters with which there are only cursors. */
const SEARCHED = ["name", "attr", "model", "min_cost", "min_duration_ms"] as const;

type ReadPage = {
  totalCount: number | null;
  searchedUntil: string | null;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: readonly unknown[];
};

export function toTracePagination({ limit, offset, ...query }: Query, page: ReadPage): TracePagination {
  const { totalCount: total, searchedUntil, pageInfo, nodes } = page;
  const hasOffsets = query.cursor === undefined && SEARCHED.every((name) => query[name] === undefined);
  const { hasNextPage: hasMore, endCursor } = pageInfo;
  const place = toPagination({ limit, offset, count: nodes.length, total, hasMore }, MAX_OFFSET);
  return {
    ...place,
    next_offset: hasOffsets ? place.next_offset : null,
    next_cursor: hasMore ? endCursor : null,
    searched_until: searchedUntil,
  };
}
