import type { ReactNode } from "react";
import type { UserProblem } from "../data/problem.ts";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form/form.tsx";

export type ConfirmProps = {
  title: string;
  /** Describes the consequences, including for offline agents. May contain fields, such as a reason. */
  children: ReactNode;
  /** The button's label, such as "Cancel task". */
  confirmLabel: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isBusy?: boolean;
  problem?: UserProblem | null;
  /** Whether the action destroys or stops something. Default: true. */
  isDangerous?: boolean;
};

/** Asks for confirmation, and shows errors in place. The caller closes it when done. */
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
