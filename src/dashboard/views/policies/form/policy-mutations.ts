import { graphql } from "../../../data/graphql.ts";
import { PolicyFields } from "../policy-fields.ts";

export const CreatePolicy = graphql(
  `
    mutation CreatePolicy($rule: PolicyRuleInput!) {
      createPolicy(input: { rule: $rule }) {
        policy {
          ...PolicyFields
        }
      }
    }
  `,
  [PolicyFields],
);

export const UpdatePolicy = graphql(
  `
    mutation UpdatePolicy($id: ID!, $rule: PolicyRuleInput!, $ifGeneration: Int) {
      updatePolicy(input: { id: $id, rule: $rule, ifGeneration: $ifGeneration }) {
        policy {
          ...PolicyFields
        }
      }
    }
  `,
  [PolicyFields],
);

export const ValidatePolicy = graphql(`
  query ValidatePolicy($rule: PolicyRuleInput!) {
    validatePolicy(rule: $rule) {
      errors {
        field
        message
        start
        end
      }
      warnings {
        field
        message
        start
        end
      }
    }
  }
`);
