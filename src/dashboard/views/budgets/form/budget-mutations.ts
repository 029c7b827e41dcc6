import { graphql } from "../../../data/graphql.ts";
import { BudgetFields } from "../budget-fields.ts";

export const CreateBudget = graphql(
  `
    mutation CreateBudget($input: CreateBudgetInput!) {
      createBudget(input: $input) {
        budget {
          ...BudgetFields
        }
      }
    }
  `,
  [BudgetFields],
);

export const UpdateBudget = graphql(
  `
    mutation UpdateBudget($input: UpdateBudgetInput!) {
      updateBudget(input: $input) {
        budget {
          ...BudgetFields
        }
      }
    }
  `,
  [BudgetFields],
);
