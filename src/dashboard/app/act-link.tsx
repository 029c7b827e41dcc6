import { useMemo } from "react";
import { Link } from "wouter";
import { type ViewerRole, useIsAtLeast } from "../data/viewer.tsx";
import { usePaletteEntries } from "./palette/entries.ts";

export type ActLinkProps = {
  href: string;
  label: string;
  /** Who may use it. Default: operators. */
  role?: ViewerRole;
};

/** A link to a form, as a button in the page's header and a palette entry. Hidden if the user may not use it. */
export function ActLink({ href, label, role = "OPERATOR" }: ActLinkProps) {
  const mayAct = useIsAtLeast(role);
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
