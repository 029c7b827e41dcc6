import type { ReactNode } from "react";
import { type ViewerRole, useIsAtLeast } from "../data/viewer.tsx";

export type EmptyProps = {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  /** The role required to do that. Default: any. */
  role?: ViewerRole;
  /** For users without the role: what will appear here. */
  otherwise?: ReactNode;
};

/** Shown instead of an empty list. */
export function Empty({ title, children, role = "VIEWER", otherwise }: EmptyProps) {
  const mayAct = useIsAtLeast(role);
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="soft">{mayAct ? children : otherwise}</div>
    </div>
  );
}
