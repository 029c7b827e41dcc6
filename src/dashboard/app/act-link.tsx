import { useMemo } from "react";
import { Link } from "wouter";
import { useIsAtLeast } from "../data/viewer.tsx";
import { usePaletteEntries } from "./palette/entries.ts";

/** A link to a form, as a button in the page's header and a palette entry. Hidden if the user may not use it. */
export function ActLink({ href, label }: { href: string; label: string }) {
  const mayAct = useIsAtLeast("OPERATOR");
  const entries = useMemo(
    () => (mayAct ? [{ key: href, label, kind: "Action", to: href }] : []),
    [mayAct, href, label],
  );
  usePaletteEntries(entries);
  if (!mayAct) return null;
  return (
    <Link className="button button-primary" href={href}>
      {label}
    </Link>
  );
}
