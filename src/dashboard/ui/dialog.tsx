import { type ReactNode, useEffect, useRef } from "react";
import { type FocusPlace, currentPlace, focusAt, focusHeading } from "./focus-place.ts";

export type DialogProps = {
  title: string;
  isOpen: boolean;
  /** Called when it closes, by a button or Escape. */
  onClose: () => void;
  /** Whether it opens near the top, and stays there as its content grows. Default: in the middle. */
  isAtTop?: boolean;
  isWide?: boolean;
  children: ReactNode;
};

/** A modal dialog. Its content is created anew each time it opens. */
export function Dialog({ title, isOpen, onClose, isAtTop = false, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<FocusPlace>(null);
  useEffect(() => {
    if (!isOpen) {
      dialog.current?.close();
      opener.current = null;
      return undefined;
    }
    // Keeps the first opener if the content is shown twice.
    opener.current ??= currentPlace();
    dialog.current?.showModal();
    const shown = dialog.current;
    // The browser restores the focus only to an opener that is still there, and only of a dialog that is.
    return () => {
      shown?.close();
      if (opener.current === null) focusHeading();
      else focusAt(opener.current);
    };
  }, [isOpen]);

  // The event comes late: the dialog may have been opened again by then.
  function handleClose(): void {
    if (dialog.current?.open !== true) onClose();
  }

  return (
    <dialog
      ref={dialog}
      className={["dialog", isAtTop && "dialog-top", isWide && "dialog-wide"].filter(Boolean).join(" ")}
      onCancel={onClose}
      onClose={handleClose}
      aria-label={title}
    >
      {isOpen && (
        <div className="stack">
          <h2>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
