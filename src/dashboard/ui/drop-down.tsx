import { type ReactNode, useEffect, useRef, useState } from "react";
import { TokenRow } from "./form/filter-token.tsx";
import { Icon } from "./icon/icon.tsx";
import type { IconName } from "./icon/icon-names.ts";

export type DropDownProps = {
  label: string;
  icon: IconName;
  /** How many of the fields in the panel are set. */
  count?: number;
  children: ReactNode;
};

/**
 * A button that opens a small panel below it. Escape closes it, and so does leaving it. Filters in it show no tokens:
 * they are only there while it is open.
 */
export function DropDown({ label, icon, count = 0, children }: DropDownProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDetailsElement>(null);
  useEffect(() => (isOpen ? closeWhenLeft(frame.current) : undefined), [isOpen]);
  return (
    <details
      ref={frame}
      className="drop-down"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className="button button-small">
        <Icon name={icon} />
        {label}
        {count > 0 && <span className="badge">{count}</span>}
      </summary>
      {isOpen && (
        <TokenRow value={null}>
          <div className="drop-down-panel">{children}</div>
        </TokenRow>
      )}
    </details>
  );
}

/** Closes it when something else is pointed at or focused. @returns a function that ends this. */
function closeWhenLeft(details: HTMLDetailsElement | null): () => void {
  function look({ target }: Event): void {
    if (details !== null && target instanceof Node && !details.contains(target)) details.open = false;
  }
  document.addEventListener("pointerdown", look);
  document.addEventListener("focusin", look);
  return () => {
    document.removeEventListener("pointerdown", look);
    document.removeEventListener("focusin", look);
  };
}
