import { graphql } from "../../../data/graphql.ts";

export const OpenRunsQuery = graphql(`
  query OpenEvalRuns {
    running: evalRuns(filter: { status: RUNNING }, first: 20) {
      nodes {
        id
        suite
        name
      }
    }
    queued: evalRuns(filter: { status: QUEUED }, first: 20) {
      nodes {
        id
        suite
        name
      }
    }
  }
`);

export const AddTraceToEval = graphql(`
  mutation AddTraceToEval($input: AddTraceToEvalInput!) {
    addTraceToEval(input: $input) {
      evalRun {
        uuid
      }
    }
  }
`);
