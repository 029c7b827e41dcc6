import { Link, useSearch } from "wouter";

/** The links between the board and the list, which keep the filters. */
export function ViewSwitch({ isList }: { isList: boolean }) {
  const search = useSearch();
  return (
    <nav className="tasks-switch" aria-label="How tasks are shown">
      <Link href={toAddress(search, "board")} aria-current={isList ? undefined : "true"}>
        Board
      </Link>
      <Link href={toAddress(search, "list")} aria-current={isList ? "true" : undefined}>
        List
      </Link>
    </nav>
  );
}

function toAddress(search: string, view: "board" | "list"): string {
  const params = new URLSearchParams(search);
  for (const name of ["after", "before", ...(view === "board" ? ["status"] : [])]) params.delete(name);
  params.set("view", view);
  return `/tasks?${params}`;
}
