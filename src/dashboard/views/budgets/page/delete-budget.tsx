import { graphql } from "../../../data/graphql.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import type { ShownBudget } from "../budget-fields.ts";

const DeleteBudgetAct = graphql(`
  mutation DeleteBudget($id: ID!) {
    deleteBudget(input: { id: $id }) {
      budget {
        id
      }
    }
  }
`);

/** Deletes a budget after a confirmation. */
export function DeleteBudget({ budget }: { budget: ShownBudget }) {
  return (
    <DeleteButton mutation={DeleteBudgetAct} subject={budget} noun="budget" list="/budgets">
      <li>What it limits is no longer limited, unless by another budget.</li>
      <li>Its sums are deleted too. To only suspend it, disable it.</li>
    </DeleteButton>
  );
}
