import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { takeNewView } from "./new-view.ts";
import { pageTitle } from "./window-title.ts";

export type PageProps = {
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** The parent page. */
  above?: { href: string; title: string };
  /** Buttons next to the title. */
  action?: ReactNode;
  children: ReactNode;
};

/** The layout of a view: its heading, which is also the window's title, and its content. */
export function Page({ title, lead, above, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.set(title);
    // A dialog that led here first restores its focus.
    if (takeNewView()) requestAnimationFrame(() => heading.current?.focus());
  }, [title]);
  return (
    <>
      <div className="page-head">
        <div className="page-head-text">
          {above !== undefined && (
            <p className="crumb">
              <Link href={above.href}>{above.title}</Link>
            </p>
          )}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead !== undefined && <div className="soft">{lead}</div>}
        </div>
        {action !== undefined && <div className="actions">{action}</div>}
      </div>
      {children}
    </>
  );
}
