import type { ReactNode } from "react";
import type { UserProblem } from "../data/problem.ts";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form/form.tsx";

/** What is asked before something that can't be undone. */
export type ConfirmProps = {
  title: string;
  /** Says what will happen, also where an agent is offline. May hold fields, such as a reason. */
  children: ReactNode;
  /** What the button says, such as "Cancel the task". */
  confirmLabel: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isBusy?: boolean;
  problem?: UserProblem | null;
  /** Whether it destroys or stops something: true where it is left out. */
  isDangerous?: boolean;
};

/** Asks once more, and shows in place why it was refused. The caller closes it when it is done. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, children, confirmLabel, isOpen, onClose, onConfirm } = props;
  const { isBusy = false, problem = null, isDangerous = true } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Form
        sendLabel={confirmLabel}
        onSend={onConfirm}
        onBack={onClose}
        isBusy={isBusy}
        problem={problem}
        isDangerous={isDangerous}
      >
        {children}
      </Form>
    </Dialog>
  );
}
