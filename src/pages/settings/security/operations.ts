import { graphql } from "../../../schema/graphql.ts";
import { ViewerFields } from "../../layout/viewer.ts";

export const ReadSecurity = graphql(
  `
    query ReadSecurity {
      ...ViewerFields
      secondFactors {
        authenticatorApp {
          createdAt
          lastUsedAt
        }
        passkeys {
          id
          name
          createdAt
          lastUsedAt
        }
        recoveryCodesLeft
      }
      sessions {
        uuid
        ip
        userAgent
        createdAt
        lastSeenAt
        expiresAt
        remembered
        current
      }
    }
  `,
  [ViewerFields],
);

export const ReadSelf = graphql(
  `
    query ReadSelf {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

export const BeginAuthenticatorApp = graphql(`
  mutation BeginAuthenticatorApp($setup: String) {
    beginAuthenticatorApp(input: { setup: $setup }) {
      secret
      uri
      setup
    }
  }
`);

export const AddAuthenticatorApp = graphql(`
  mutation AddAuthenticatorApp($setup: String!, $code: String!) {
    addAuthenticatorApp(input: { setup: $setup, code: $code }) {
      recoveryCodes
    }
  }
`);

export const RemoveAuthenticatorApp = graphql(`
  mutation RemoveAuthenticatorApp {
    removeAuthenticatorApp(input: {}) {
      clientMutationId
    }
  }
`);

export const RenewRecoveryCodes = graphql(`
  mutation RenewRecoveryCodes {
    renewRecoveryCodes(input: {}) {
      recoveryCodes
    }
  }
`);

export const RevokeSession = graphql(`
  mutation RevokeSession($id: ID!) {
    revokeSession(input: { id: $id }) {
      clientMutationId
    }
  }
`);

export const RevokeOtherSessions = graphql(`
  mutation RevokeOtherSessions {
    revokeOtherSessions(input: {}) {
      clientMutationId
    }
  }
`);

export const BeginPasskey = graphql(`
  mutation BeginPasskey {
    beginPasskey(input: {}) {
      options
    }
  }
`);

export const AddPasskey = graphql(`
  mutation AddPasskey($name: String!, $response: String!) {
    addPasskey(input: { name: $name, response: $response }) {
      recoveryCodes
    }
  }
`);

export const RemovePasskey = graphql(`
  mutation RemovePasskey($id: ID!) {
    removePasskey(input: { id: $id }) {
      clientMutationId
    }
  }
`);
