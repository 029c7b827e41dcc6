import type { ReactNode } from "react";
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

/** A form with buttons and errors. */
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
