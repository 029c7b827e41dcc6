import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
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
export function DeleteBudget({ budget: { id, name } }: { budget: ShownBudget }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeleteBudgetAct);
  const [, go] = useLocation();

  async function carryOut(): Promise<void> {
    if ((await act({ id })) === null) return;
    showNotice(`The budget ${name} has been deleted.`);
    go("/budgets");
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Delete budget
      </button>
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete budget"
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
          <li>What it limits is no longer limited, unless by another budget.</li>
          <li>Its sums are deleted too. To only suspend it, disable it.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
