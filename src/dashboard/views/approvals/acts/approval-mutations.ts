import { graphql } from "../../../data/graphql.ts";

export const GrantApproval = graphql(`
  mutation GrantApproval($id: ID!, $requestHash: String!, $arguments: JSON) {
    grantApproval(input: { id: $id, requestHash: $requestHash, arguments: $arguments }) {
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
