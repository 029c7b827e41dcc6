import { graphql } from "../../../schema/graphql.ts";
import { ViewerFields } from "../../layout/viewer.ts";

export const ListEndpoints = graphql(
  `
    query ListEndpoints {
      ...ViewerFields
      webhookEndpoints {
        uuid
        kind
        url
        description
        eventTypes
        disabledBecause
        disabledAt
      }
    }
  `,
  [ViewerFields],
);

export const ReadEndpoint = graphql(
  `
    query ReadEndpoint($id: ID!, $before: ID) {
      ...ViewerFields
      webhookEndpoint(id: $id) {
        uuid
        kind
        url
        description
        eventTypes
        disabledBecause
        disabledAt
        previousSecretEndsAt
        createdAt
        createdBy {
          name
        }
      }
      webhookDeliveries(endpointId: $id, before: $before, first: 25) {
        hasOlder
        deliveries {
          id
          eventType
          body
          status
          attempts
          nextAttemptAt
          attemptedAt
          durationMs
          answerStatus
          answerBody
          problem
          createdAt
        }
      }
    }
  `,
  [ViewerFields],
);

export const CreateEndpoint = graphql(`
  mutation CreateEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      secret
      endpoint {
        uuid
      }
    }
  }
`);

export const UpdateEndpoint = graphql(`
  mutation UpdateEndpoint($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) {
      clientMutationId
    }
  }
`);

export const RotateSecret = graphql(`
  mutation RotateSecret($id: ID!, $overlapSeconds: Int!) {
    rotateWebhookSecret(input: { id: $id, overlapSeconds: $overlapSeconds }) {
      secret
      endpoint {
        uuid
      }
    }
  }
`);

export const DeleteEndpoint = graphql(`
  mutation DeleteEndpoint($id: ID!) {
    deleteWebhookEndpoint(input: { id: $id }) {
      deletedId
    }
  }
`);

export const SendTest = graphql(`
  mutation SendTest($endpointId: ID!) {
    sendTestEvent(input: { endpointId: $endpointId }) {
      clientMutationId
    }
  }
`);

export const Resend = graphql(`
  mutation Resend($id: ID!) {
    resendDelivery(input: { id: $id }) {
      clientMutationId
    }
  }
`);

export const ResendFrom = graphql(`
  mutation ResendFrom($id: ID!) {
    resendFromDelivery(input: { id: $id }) {
      clientMutationId
    }
  }
`);
