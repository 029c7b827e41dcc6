import { graphql } from "../../../data/graphql.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import type { ShownPolicy } from "../policy-fields.ts";

const DeletePolicyAct = graphql(`
  mutation DeletePolicy($id: ID!) {
    deletePolicy(input: { id: $id }) {
      policy {
        id
        name
      }
    }
  }
`);

const CONSEQUENCES = {
  ALLOW: "What only it allows is denied from then on.",
  ASK: "Nobody is asked because of it any more. Its open questions can no longer be approved.",
  DENY: "What it denies may be allowed by other policies from then on.",
} as const;

/** Deletes a policy after a confirmation. */
export function DeletePolicy({ policy }: { policy: ShownPolicy }) {
  return (
    <DeleteButton mutation={DeletePolicyAct} subject={policy} noun="policy" list="/policies">
      <li>{CONSEQUENCES[policy.effect]}</li>
      <li>Decisions that name it stay. To only suspend it, edit it and disable it.</li>
    </DeleteButton>
  );
}
