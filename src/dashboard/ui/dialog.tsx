import { type ReactNode, useEffect, useRef } from "react";
import { type FocusPlace, currentPlace, focusAt } from "./focus-place.ts";

/** What a dialog is. */
export type DialogProps = {
  title: string;
  isOpen: boolean;
  /** Told when it closes, by a button or by Escape. */
  onClose: () => void;
  children: ReactNode;
};

/** A dialog in front of everything. What is inside is made anew each time that it opens. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<FocusPlace>(null);
  useEffect(() => {
    if (!isOpen) {
      dialog.current?.close();
      opener.current = null;
      return undefined;
    }
    // Not what is inside, should it be shown a second time.
    opener.current ??= currentPlace();
    dialog.current?.showModal();
    // A dialog that goes away at its close gives nothing back by itself.
    return () => {
      if (opener.current !== null) focusAt(opener.current);
    };
  }, [isOpen]);
  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-label={title}>
      {isOpen && (
        <div className="stack">
          <h2>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
