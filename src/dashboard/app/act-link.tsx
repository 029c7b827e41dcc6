import { useMemo } from "react";
import { Link } from "wouter";
import { useIsAtLeast } from "../data/viewer.tsx";
import { usePaletteEntries } from "./palette/entries.ts";

/** The way to a form, for who may act: a button at the head of a view, and an entry of the palette. */
export function ActLink({ href, label }: { href: string; label: string }) {
  const mayAct = useIsAtLeast("OPERATOR");
  const entries = useMemo(
    () => (mayAct ? [{ key: href, label, kind: "Act", to: href }] : []),
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
