import { Link, useSearch } from "wouter";

/** Links to the board and the list that keep the filters. */
export function ViewSwitch({ isList }: { isList: boolean }) {
  const search = useSearch();
  return (
    <nav className="tasks-switch" aria-label="Layout">
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
