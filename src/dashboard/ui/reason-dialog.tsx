import type { TadaDocumentNode } from "gql.tada";
import { type ReactNode, useState } from "react";
import type { AnyVariables } from "urql";
import { useAct } from "../data/use-act.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { UserProblem } from "../data/problem.ts";
import { TextField } from "./form/text-field.tsx";
import { showNotice } from "./notice.tsx";

export type ReasonDialogProps<Data, Variables> = {
  title: string;
  /** The button's label, such as "Cancel task". */
  confirmLabel: string;
  /** List items that describe the consequences, including for offline agents. */
  children: ReactNode;
  mutation: TadaDocumentNode<Data, Variables>;
  /** The mutation's variables. The reason is null if none was entered. */
  toVariables: (reason: string | null) => Variables;
  /** The message after success. */
  toDoneText: (done: Data) => string;
  onClose: () => void;
  /** More fields, below the reason. */
  renderFields?: (problem: UserProblem | null) => ReactNode;
  isReasonRequired?: boolean;
  /** Whether the action destroys or stops something. Default: true. */
  isDangerous?: boolean;
};

/** Describes the consequences, asks for a reason, and runs the mutation. */
export function ReasonDialog<Data, Variables extends AnyVariables>(
  props: ReasonDialogProps<Data, Variables>,
) {
  const { title, confirmLabel, children, mutation, toVariables, toDoneText, onClose } = props;
  const { isReasonRequired = false, isDangerous = true, renderFields } = props;
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
      {renderFields?.(problem)}
    </ConfirmDialog>
  );
}
