import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** What was charged, by whatever it is asked by; in all; and in each step of the period. */
export const CostsQuery = graphql(`
  query Costs(
    $dimension: UsageDimension!
    $period: UsagePeriod!
    $from: DateTime!
    $to: DateTime!
    $perPeriod: Boolean!
    $first: Int!
  ) {
    usage(
      dimension: $dimension
      period: $period
      from: $from
      to: $to
      perPeriod: $perPeriod
      first: $first
    ) {
      hasMore
      sums {
        start
        agentUuid
        agent {
          id
          name
        }
        taskUuid
        taskTitle
        model
        calls
        inputTokens
        cacheReadTokens
        outputTokens
        costUsd
        unpricedCalls
        metrics {
          inputTokens
          outputTokens
          costUsd
        }
      }
    }
    all: usage(dimension: WORKSPACE, period: $period, from: $from, to: $to) {
      sums {
        costUsd
        unpricedCalls
        metrics {
          inputTokens
          outputTokens
          costUsd
        }
      }
    }
    steps: usage(dimension: WORKSPACE, period: $period, from: $from, to: $to, perPeriod: true) {
      sums {
        start
        costUsd
      }
    }
  }
`);

export type Costs = ResultOf<typeof CostsQuery>;
export type CostSum = Costs["usage"]["sums"][number];
