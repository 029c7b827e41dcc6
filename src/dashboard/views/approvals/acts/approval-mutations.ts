import { graphql } from "../../../data/graphql.ts";

export const GrantApproval = graphql(`
  mutation GrantApproval($id: ID!, $requestHash: String!) {
    grantApproval(input: { id: $id, requestHash: $requestHash }) {
      approval {
        id
        status
      }
    }
  }
`);

export const DenyApproval = graphql(`
  mutation DenyApproval($id: ID!, $comment: String!, $requestHash: String!) {
    denyApproval(input: { id: $id, comment: $comment, requestHash: $requestHash }) {
      approval {
        id
        status
      }
    }
  }
`);

export const RevokeApproval = graphql(`
  mutation RevokeApproval($id: ID!, $reason: String!) {
    revokeApproval(input: { id: $id, reason: $reason }) {
      approval {
        id
        status
      }
    }
  }
`);
