import type { ReactNode } from "react";
import { type ViewerRole, useIsAtLeast } from "../data/viewer.tsx";

/** What stands where a list would be. */
export type EmptyProps = {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  /** Who may do that; everybody where it is left out. */
  role?: ViewerRole;
  /** For the others: what will stand here. */
  otherwise?: ReactNode;
};

/** Stands where a list would be. */
export function Empty({ title, children, role = "VIEWER", otherwise }: EmptyProps) {
  const mayAct = useIsAtLeast(role);
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="soft">{mayAct ? children : otherwise}</div>
    </div>
  );
}
