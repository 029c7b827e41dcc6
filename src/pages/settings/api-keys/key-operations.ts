import { graphql } from "../../../schema/graphql.ts";
import { ViewerFields } from "../../layout/viewer.ts";

export const ReadKey = graphql(
  `
    query ReadKey($id: ID!) {
      ...ViewerFields
      apiKey(id: $id) {
        uuid
        name
        prefix
        last4
        primary
        scopes
        ipAllowlist
        agentHandle
        createdBy {
          name
        }
        creatorSuspended
        createdAt
        expiresAt
        lastUsedAt
        lastUsedIp
        revokedAt
        revokedReason
        rotatedToUuid
      }
    }
  `,
  [ViewerFields],
);

export const UpdateApiKey = graphql(`
  mutation UpdateApiKey($input: UpdateApiKeyInput!) {
    updateApiKey(input: $input) {
      clientMutationId
    }
  }
`);

/** Replaces a key by a new one. */
export const RotateApiKey = graphql(`
  mutation RotateApiKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) {
      key
      apiKey {
        uuid
        name
      }
    }
  }
`);

export const RevokeApiKey = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(input: { id: $id }) {
      clientMutationId
    }
  }
`);
