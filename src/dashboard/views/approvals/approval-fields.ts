import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { ApprovalTitle } from "./get-approval-title.ts";

/** An approval in the list. */
const ApprovalItem = graphql(
  `
    fragment ApprovalItem on Approval {
      id
      uuid
      ...ApprovalTitle
      status
      expiresAt
      decidedAt
      createdAt
    }
  `,
  [ApprovalTitle],
);

export type ApprovalItem = ResultOf<typeof ApprovalItem>;

/** Those that wait: the last page of what is listed newest first. */
export const ApprovalsQuery = graphql(
  `
    query Approvals($first: Int, $last: Int, $filter: ApprovalFilter) {
      approvals(first: $first, last: $last, filter: $filter) {
        totalCount
        nodes {
          ...ApprovalItem
        }
      }
    }
  `,
  [ApprovalItem],
);

const ApprovalFields = graphql(`
  fragment ApprovalFields on Approval {
    id
    uuid
    decisionUuid
    agentUuid
    agent {
      id
      name
    }
    subject
    subjectAgent {
      id
      name
      uuid
    }
    action
    resourceType
    resourceId
    resourceAgent {
      id
      name
      uuid
    }
    request
    hiddenValues
    requestHash
    editedArguments
    previousArguments
    policies {
      uuid
      name
    }
    role
    persons
    reviews {
      by {
        name
        uuid
      }
      verdict
      comment
      current
      createdAt
    }
    comment
    scope
    uses
    usedCount
    canEdit
    validSeconds
    status
    expiresAt
    decidedAt
    approvedUntil
    revokedAt
    revokedBy {
      name
    }
    taskUuid
    commandUuid
    missionUuid
    missionTitle
    traceId
    createdAt
  }
`);

export type ShownApproval = ResultOf<typeof ApprovalFields>;

export const ApprovalQuery = graphql(
  `
    query ApprovalPage($id: ID!) {
      approval(id: $id) {
        ...ApprovalFields
      }
    }
  `,
  [ApprovalFields],
);

export const APPROVAL_STATUSES = ["PENDING", "APPROVED", "DENIED", "EXPIRED", "CANCELLED"] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** When approvals change. */
export const APPROVAL_TYPES = ["approval.*"];
