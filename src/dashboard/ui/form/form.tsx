import type { KeyboardEvent, ReactNode } from "react";
import type { UserProblem } from "../../data/problem.ts";
import { ErrorNote } from "../error-note.tsx";

export type FormProps = {
  children: ReactNode;
  /** The submit button's label, such as "Send answer". */
  sendLabel: string;
  onSend: () => void;
  onBack?: () => void;
  isBusy: boolean;
  problem: UserProblem | null;
  /** Whether submitting destroys or stops something. */
  isDangerous?: boolean;
};

/** A form with buttons and errors. Ctrl+Enter or ⌘+Enter sends it, from any of its fields. */
export function Form({
  children,
  sendLabel,
  onSend,
  onBack,
  isBusy,
  problem,
  isDangerous = false,
}: FormProps) {
  return (
    <form
      className="stack-m"
      onKeyDown={sendOnCtrlEnter}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSend();
      }}
    >
      {children}
      <ErrorNote problem={problem} />
      <div className="actions">
        <button
          className={`button ${isDangerous ? "button-danger" : "button-primary"}`}
          aria-disabled={isBusy}
        >
          {isBusy ? "Working…" : sendLabel}
        </button>
        {onBack !== undefined && (
          <button type="button" className="button" onClick={onBack}>
            Back
          </button>
        )}
      </div>
    </form>
  );
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  // A dialog's form may be within another one.
  if (!(event.target instanceof Element) || event.target.closest("form") !== event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
