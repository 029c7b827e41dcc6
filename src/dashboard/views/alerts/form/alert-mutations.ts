import { graphql } from "../../../data/graphql.ts";
import { AlertFields } from "../alert-fields.ts";

export const CreateAlertRule = graphql(
  `
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
      createAlertRule(input: $input) {
        alertRule {
          ...AlertFields
        }
      }
    }
  `,
  [AlertFields],
);

export const UpdateAlertRule = graphql(
  `
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
      updateAlertRule(input: $input) {
        alertRule {
          ...AlertFields
        }
      }
    }
  `,
  [AlertFields],
);
