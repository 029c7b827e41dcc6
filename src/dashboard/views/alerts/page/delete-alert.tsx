import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
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
export function DeleteAlert({ rule: { id, name } }: { rule: ShownAlert }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeleteAlertAct);
  const [, go] = useLocation();

  async function carryOut(): Promise<void> {
    if ((await act({ id })) === null) return;
    showNotice(`The alert rule ${name} has been deleted.`);
    go("/alerts");
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Delete alert rule
      </button>
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete alert rule"
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
          <li>Nobody is told of what it watches any more, nor that it is resolved if it fires.</li>
          <li>To only suspend it, disable it.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
