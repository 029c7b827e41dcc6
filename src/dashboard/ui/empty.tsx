import type { ReactNode } from "react";

/** Stands where a list would be. `children` says what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="soft">{children}</div>
    </div>
  );
}
