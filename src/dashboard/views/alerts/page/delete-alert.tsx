import { graphql } from "../../../data/graphql.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import type { ShownAlert } from "../alert-fields.ts";

const DeleteAlertAct = graphql(`
  mutation DeleteAlertRule($id: ID!) {
    deleteAlertRule(input: { id: $id }) {
      alertRule {
        id
      }
    }
  }
`);

/** Deletes a rule after a confirmation. */
export function DeleteAlert({ rule }: { rule: ShownAlert }) {
  return (
    <DeleteButton mutation={DeleteAlertAct} subject={rule} noun="alert rule" list="/alerts">
      <li>Nobody is told of what it watches any more, nor that it is resolved if it fires.</li>
      <li>To only suspend it, disable it.</li>
    </DeleteButton>
  );
}
