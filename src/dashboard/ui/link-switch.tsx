import { Link } from "wouter";

export type LinkSwitchProps = {
  /** For screen readers. */
  label: string;
  links: readonly { href: string; label: string; isCurrent: boolean }[];
};

/** Links to the parts or layouts of a page, of which one is shown. */
export function LinkSwitch({ label, links }: LinkSwitchProps) {
  return (
    <nav className="switch" aria-label={label}>
      {links.map(({ href, label: name, isCurrent }) => (
        <Link key={name} href={href} aria-current={isCurrent ? "true" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
