import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";

/** What every view has above its content. */
export type PageProps = {
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** The view above this one. */
  above?: { href: string; title: string };
  /** Buttons beside the title. */
  action?: ReactNode;
  children: ReactNode;
};

/** A view: its heading, which is the window's title too, and what it shows. */
export function Page({ title, lead, above, action, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Agent Ops`;
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
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <div className="soft">{lead}</div>}
        </div>
        {action !== undefined && <div className="actions">{action}</div>}
      </div>
      {children}
    </>
  );
}
