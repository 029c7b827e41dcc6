import { Link } from "wouter";

/** The mark and the name, as a link to the start; the pages have the same. */
export function Logo() {
  return (
    <Link className="logo" href="/">
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" focusable="false">
        <rect width="28" height="28" rx="8" fill="currentColor" />
        <path className="logo-line" d="M7.5 20 14 8l6.5 12" />
        <circle className="logo-dot" cx="14" cy="17.6" r="2.1" />
      </svg>
      <span>Agent Ops</span>
    </Link>
  );
}
