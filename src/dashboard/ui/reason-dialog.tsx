import type { TadaDocumentNode } from "gql.tada";
import { type ReactNode, useState } from "react";
import type { AnyVariables } from "urql";
import { useAct } from "../data/use-act.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { TextField } from "./form/text-field.tsx";
import { showNotice } from "./notice.tsx";

/** What is done, and what is asked before. */
export type ReasonDialogProps<Data, Variables> = {
  title: string;
  /** What the button says, such as "Cancel the task". */
  confirmLabel: string;
  /** What will happen, also where an agent is offline, as items of a list. */
  children: ReactNode;
  mutation: TadaDocumentNode<Data, Variables>;
  /** What the mutation is given; the reason is null where none was typed. */
  toVariables: (reason: string | null) => Variables;
  /** What is told when it is done. */
  toDoneText: (done: Data) => string;
  onClose: () => void;
  isReasonRequired?: boolean;
  /** Whether it destroys or stops something: true where it is left out. */
  isDangerous?: boolean;
};

/** Says what will happen, asks why, and does it. */
export function ReasonDialog<Data, Variables extends AnyVariables>(
  props: ReasonDialogProps<Data, Variables>,
) {
  const { title, confirmLabel, children, mutation, toVariables, toDoneText, onClose } = props;
  const { isReasonRequired = false, isDangerous = true } = props;
  const [reason, setReason] = useState("");
  const { act, isBusy, problem } = useAct(mutation);

  async function carryOut(): Promise<void> {
    const done = await act(toVariables(reason.trim() === "" ? null : reason));
    if (done === null) return;
    onClose();
    showNotice(toDoneText(done));
  }

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      isOpen
      onClose={onClose}
      onConfirm={() => void carryOut()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={isDangerous}
    >
      <ul className="consequences">{children}</ul>
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        onChange={setReason}
        problem={problem}
        isRequired={isReasonRequired}
      />
    </ConfirmDialog>
  );
}
