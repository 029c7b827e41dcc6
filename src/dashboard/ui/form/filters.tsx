import type { ReactNode } from "react";

/** A row of filters above a list. Changes apply immediately. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search>
      <form className="filter" onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </search>
  );
}
