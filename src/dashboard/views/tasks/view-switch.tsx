import { useSearch } from "wouter";
import { LinkSwitch } from "../../ui/link-switch.tsx";

/** Links to the board and the list that keep the filters. */
export function ViewSwitch({ isList }: { isList: boolean }) {
  const search = useSearch();
  return (
    <LinkSwitch
      label="Layout"
      links={[
        { href: toAddress(search, "board"), label: "Board", isCurrent: !isList },
        { href: toAddress(search, "list"), label: "List", isCurrent: isList },
      ]}
    />
  );
}

function toAddress(search: string, view: "board" | "list"): string {
  const params = new URLSearchParams(search);
  for (const name of ["after", "before", ...(view === "board" ? ["status"] : [])]) params.delete(name);
  params.set("view", view);
  return `/tasks?${params}`;
}
