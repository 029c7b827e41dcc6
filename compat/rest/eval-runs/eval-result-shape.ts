import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import {
  anyJson,
  dateTime,
  omitUndefined,
  toWireEnum,
  numberWithin,
  text,
  toGraphqlEnum,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";

export const EVAL_RESULT_STATUSES = ["passed", "failed", "errored", "skipped"] as const;

/** A result in the REST API. */
export const evalResult = z
  .strictObject({
    id: uuid,
    item_key: z.string(),
    input: anyJson,
    expected: anyJson,
    output: anyJson,
    status: z.enum(EVAL_RESULT_STATUSES),
    scores: anyJson,
    latency_ms: z.int().nullable(),
    cost_usd: z.number().nullable(),
    trace_id: z.string().nullable(),
    error: z.string().nullable(),
    created_at: dateTime,
  })
  .openapi("EvalResult");

const score = z
  .strictObject({
    name: text(LIMITS.labelLength),
    value: numberWithin(LIMITS.scoreValue),
    label: z.string().max(LIMITS.labelLength).nullish(),
    explanation: z.string().max(LIMITS.textLength).nullish(),
    annotator_kind: z.enum(["LLM", "CODE", "HUMAN"]).nullish(),
  })
  .openapi("EvalScore");

/** A reported result. */
export const newEvalResult = z
  .strictObject({
    item_key: text(LIMITS.itemKeyLength).openapi({
      description: "Identifies the item in every run of the suite.",
    }),
    status: z.enum(EVAL_RESULT_STATUSES),
    input: anyJson.optional(),
    expected: anyJson.optional(),
    output: anyJson.optional(),
    scores: z.array(score).max(LIMITS.scores).nullish(),
    latency_ms: wholeNumber({ min: 0, max: LIMITS.wholeNumber }).nullish(),
    cost_usd: numberWithin(LIMITS.resultCostUsd).nullish(),
    trace_id: z
      .string()
      .regex(/^(?!0{32})[0-9a-f]{32}$/, "must be 32 lowercase hex digits, not all 0")
      .nullish(),
    error: text(LIMITS.textLength).nullish(),
  })
  .openapi("NewEvalResult");

export const EvalResultFields = graphql(`
  fragment EvalResultFields on EvalResult {
    id: uuid
    item_key: itemKey
    input
    expected
    output
    status
    scores
    latency_ms: latencyMs
    cost_usd: costUsd
    trace_id: traceId
    error
    created_at: createdAt
  }
`);

/** Converts a result to the REST shape. */
export function evalResultJson(row: ResultOf<typeof EvalResultFields>) {
  return { ...row, status: toWireEnum(row.status) };
}

/** Converts a reported result to the GraphQL input. */
export function evalResultInput(result: z.output<typeof newEvalResult>) {
  const { item_key: itemKey, status, input, expected, output, error } = result;
  return omitUndefined({
    itemKey,
    input,
    expected,
    output,
    error,
    status: toGraphqlEnum(status),
    latencyMs: result.latency_ms,
    costUsd: result.cost_usd,
    traceId: result.trace_id,
    scores: result.scores?.map(({ name, value, label, explanation, annotator_kind: annotatorKind }) =>
      omitUndefined({ name, value, label, explanation, annotatorKind }),
    ),
  });
}
