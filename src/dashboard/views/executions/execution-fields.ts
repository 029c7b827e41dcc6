import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { PageFields } from "../../data/page-fields.ts";

/** An execution in a list. */
export const ExecutionItem = graphql(`
  fragment ExecutionItem on Execution {
    id
    uuid
    action
    resourceId
    agentUuid
    agent {
      id
      name
    }
    status
    effect
    resolvedReason
    createdAt
    endedAt
  }
`);

export type ExecutionItem = ResultOf<typeof ExecutionItem>;

export const ExecutionsQuery = graphql(
  `
    query Executions($first: Int, $after: String, $last: Int, $before: String, $filter: ExecutionFilter) {
      executions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...ExecutionItem
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [ExecutionItem, PageFields],
);

export const ExecutionQuery = graphql(
  `
    query ExecutionPage($id: ID!) {
      execution(id: $id) {
        ...ExecutionItem
        approvalUuid
        useNumber
        decisionUuid
        resourceType
        arguments
        fence
        leaseExpiresAt
        result
        error
        resolvedBy {
          name
        }
        retryOfUuid
        taskUuid
        traceId
        requestHash
      }
    }
  `,
  [ExecutionItem],
);

export type ShownExecution = ResultOf<typeof ExecutionQuery>["execution"];

export const EXECUTION_STATUSES = [
  ...(["UNKNOWN", "STARTED", "FAILED", "UNREPORTED", "COMPLETED", "RETRIED"] as const),
];

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** When executions change. Those that no person approved start and end without an event. */
export const EXECUTION_FRESHNESS = { types: ["execution.*"], apartMs: 1000, everyMs: 5000 };

/** Whether a person can say how it ended. */
export function isOpenToPeople({ status }: Pick<ExecutionItem, "status">): boolean {
  return status === "UNKNOWN" || status === "FAILED" || status === "UNREPORTED";
}
