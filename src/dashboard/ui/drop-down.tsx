import { type ReactNode, useState } from "react";
import { Icon } from "./icon/icon.tsx";
import type { IconName } from "./icon/icon-names.ts";

export type DropDownProps = {
  label: string;
  icon: IconName;
  /** How many of the fields in the panel are set. */
  count?: number;
  children: ReactNode;
};

/** A button that opens a small panel below it. Escape closes it, and so does leaving it. */
export function DropDown({ label, icon, count = 0, children }: DropDownProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="drop-down"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary className="button button-small">
        <Icon name={icon} />
        {label}
        {count > 0 && <span className="badge">{count}</span>}
      </summary>
      {isOpen && <div className="drop-down-panel">{children}</div>}
    </details>
  );
}
