import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A run without its results. */
export const RunQuery = graphql(`
  query EvalRunPage($id: ID!) {
    evalRun(id: $id) {
      id
      uuid
      suite
      name
      status
      verdict
      verdictReasons
      baseline
      baselineRunUuid
      resultCounts
      scoreSummaries
      gate
      dataset
      source
      error
      costUsd
      agentUuid
      agentVersion
      agent {
        id
        name
      }
      createdAt
      startedAt
      finishedAt
      createdBy {
        name
      }
    }
  }
`);

export type ShownRun = ResultOf<typeof RunQuery>["evalRun"];
