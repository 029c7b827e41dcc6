import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

export const ScoresQuery = graphql(`
  query TraceScores($traceId: String!) {
    trace(traceId: $traceId) {
      id
      scores {
        uuid
        spanId
        name
        value
        label
        comment
        annotatorKind
        givenBy {
          name
          uuid
        }
        updatedAt
      }
    }
  }
`);

export type ShownScore = ResultOf<typeof ScoresQuery>["trace"]["scores"][number];

export const ScoreTrace = graphql(`
  mutation ScoreTrace($input: ScoreTraceInput!) {
    scoreTrace(input: $input) {
      score {
        uuid
      }
    }
  }
`);

export const DeleteScore = graphql(`
  mutation DeleteScore($uuid: UUID!) {
    deleteScore(input: { uuid: $uuid }) {
      score {
        uuid
      }
    }
  }
`);
