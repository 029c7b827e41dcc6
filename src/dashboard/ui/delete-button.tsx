import type { TadaDocumentNode } from "gql.tada";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../data/use-act.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { showNotice } from "./notice.tsx";

type DeleteButtonProps<Data> = {
  mutation: TadaDocumentNode<Data, { id: string }>;
  /** What is deleted. */
  subject: { id: string; name: string };
  /** What kind of thing it is, such as "budget". */
  noun: string;
  /** The list that is shown afterwards. */
  list: string;
  className?: string;
  /** The consequences, as items of a list. */
  children: ReactNode;
};

/** Deletes something after a confirmation. */
export function DeleteButton<Data>(props: DeleteButtonProps<Data>) {
  const { mutation, subject, noun, list, className = "button", children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(mutation);
  const [, go] = useLocation();
  const label = `Delete ${noun}`;

  async function carryOut(): Promise<void> {
    if ((await act({ id: subject.id })) === null) return;
    showNotice(`The ${noun} ${subject.name} has been deleted.`);
    go(list);
  }

  return (
    <>
      <button type="button" className={className} onClick={() => setIsOpen(true)}>
        {label}
      </button>
      <ConfirmDialog
        title={`Delete ${subject.name}?`}
        confirmLabel={label}
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          clear();
        }}
        onConfirm={() => void carryOut()}
        isBusy={isBusy}
        problem={problem}
      >
        <ul className="consequences">{children}</ul>
      </ConfirmDialog>
    </>
  );
}
