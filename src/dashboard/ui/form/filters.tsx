import type { ReactNode } from "react";

/** The filters of a list, in a row above it. They work as they are changed. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search>
      <form className="filter" onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </search>
  );
}
