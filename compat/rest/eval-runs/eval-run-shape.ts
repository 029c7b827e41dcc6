import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

/** Number of results of a run, by status. */
export const resultCounts = z
  .strictObject({
    total: z.int().openapi({ description: "All results, including skipped ones." }),
    passed: z.int(),
    failed: z.int(),
    errored: z.int(),
  })
  .openapi("EvalResultCounts");

/** A run in the REST API. */
export const evalRun = z
  .strictObject({
    id: uuid,
    suite: z.string(),
    name: z.string(),
    agent_id: uuid.nullable(),
    agent_version: z.string().nullable(),
    dataset: anyJson,
    status: z.enum(["queued", "running", "completed", "failed", "canceled"]),
    result_counts: resultCounts,
    score_summaries: anyJson,
    baseline_run_id: uuid.nullable(),
    gate: anyJson,
    verdict: z.enum(["passed", "failed", "none"]),
    verdict_reasons: z
      .array(z.string())
      .openapi({ description: "Gate rules that failed, or that couldn't be checked without a baseline." }),
    error: anyJson,
    is_baseline: z.boolean(),
    source: anyJson,
    cost_usd: z.number().nullable(),
    metadata: anyJson,
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
  })
  .openapi("EvalRun");

export const EvalRunFields = graphql(
  `
    fragment EvalRunFields on EvalRun {
      id: uuid
      suite
      name
      agent_id: agentUuid
      agent_version: agentVersion
      dataset
      status
      result_counts: resultCounts
      score_summaries: scoreSummaries
      baseline_run_id: baselineRunUuid
      gate
      verdict
      verdict_reasons: verdictReasons
      error
      is_baseline: baseline
      source
      cost_usd: costUsd
      metadata
      created_by: createdBy {
        ...ActorFields
      }
      generation
      created_at: createdAt
      updated_at: updatedAt
      started_at: startedAt
      finished_at: finishedAt
    }
  `,
  [ActorFields],
);

/** Converts a run to the REST shape. */
export function evalRunJson(row: ResultOf<typeof EvalRunFields>) {
  const { created_by: by, status, verdict } = row;
  return {
    ...row,
    status: toWireEnum(status),
    verdict: toWireEnum(verdict),
    created_by: actorJson(by),
  };
}
