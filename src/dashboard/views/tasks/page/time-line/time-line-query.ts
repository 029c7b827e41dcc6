import type { ResultOf } from "gql.tada";
import { graphql } from "../../../../data/graphql.ts";

const TimeLineTrace = graphql(`
  fragment TimeLineTrace on Trace {
    id
    traceId
    spanCount
    startedAt
    skeleton
  }
`);

/** What happened around a task, of each kind the newest. */
export const TimeLineQuery = graphql(
  `
    query TaskTimeLine($id: ID!, $uuid: UUID!, $trace: ID!) {
      subjectEvents(subject: $id, first: 100) {
        id
        type
        occurredAt
        data
        actor {
          type
          name
        }
      }
      traces(first: 3, filter: { taskUuid: $uuid, plumbing: true }) {
        nodes {
          ...TimeLineTrace
        }
      }
      node(id: $trace) {
        id
        ... on Trace {
          ...TimeLineTrace
        }
      }
      decisions(first: 50, filter: { taskId: $id }) {
        nodes {
          id
          uuid
          outcome
          action
          resourceId
          createdAt
        }
      }
      approvals(first: 50, filter: { taskId: $id }) {
        nodes {
          id
          uuid
          status
          action
          resourceId
          createdAt
          decidedAt
        }
      }
      agentCommands(first: 50, filter: { taskId: $id }) {
        nodes {
          id
          uuid
          type
          status
          createdAt
          finishedAt
        }
      }
      messages(first: 100, filter: { taskId: $id }) {
        nodes {
          id
          uuid
          kind
          createdAt
          replyToUuid
          answeredByUuid
          sender {
            name
          }
        }
      }
    }
  `,
  [TimeLineTrace],
);

export type AroundTask = ResultOf<typeof TimeLineQuery>;
export type TimeLineTrace = ResultOf<typeof TimeLineTrace>;
export type TaskEvent = AroundTask["subjectEvents"][number];

/** What the span says that failed first. */
export const FirstErrorQuery = graphql(`
  query FirstErrorOfTask($traceId: String!, $spanId: String!) {
    trace(traceId: $traceId) {
      id
      span(spanId: $spanId) {
        spanId
        statusMessage
      }
    }
  }
`);
