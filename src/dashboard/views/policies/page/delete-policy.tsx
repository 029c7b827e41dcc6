import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
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
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeletePolicyAct);
  const [, go] = useLocation();

  async function carryOut(): Promise<void> {
    if ((await act({ id: policy.id })) === null) return;
    showNotice(`The policy ${policy.name} has been deleted.`);
    go("/policies");
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Delete policy
      </button>
      <ConfirmDialog
        title={`Delete ${policy.name}?`}
        confirmLabel="Delete policy"
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          clear();
        }}
        onConfirm={() => void carryOut()}
        isBusy={isBusy}
        problem={problem}
      >
        <ul className="consequences">
          <li>{CONSEQUENCES[policy.effect]}</li>
          <li>Decisions that name it stay. To only suspend it, edit it and disable it.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
