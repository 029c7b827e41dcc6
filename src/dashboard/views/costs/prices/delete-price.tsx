import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { DeleteModelPrice, type ShownPrice } from "./prices-query.ts";

/** Deletes a price after a confirmation. */
export function DeletePrice({ price: { id, model } }: { price: ShownPrice }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(DeleteModelPrice);
  const name = toVisibleText(model);

  function close(): void {
    setIsOpen(false);
    clear();
  }

  async function carryOut(): Promise<void> {
    if ((await act({ id })) === null) return;
    close();
    showNotice(`The price of ${name} has been deleted.`);
  }

  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={`Delete the price of ${name}`}
        onClick={() => setIsOpen(true)}
      >
        Delete
      </button>
      <ConfirmDialog
        title={`Delete the price of ${name}?`}
        confirmLabel="Delete price"
        isOpen={isOpen}
        onClose={close}
        onConfirm={() => void carryOut()}
        isBusy={isBusy}
        problem={problem}
      >
        <p>New calls cost what the program’s price list says. What was charged stays.</p>
      </ConfirmDialog>
    </>
  );
}
