import type { ReactNode } from "react";
import { Link } from "wouter";

/** One kind of thing: its chief number, and others beside it. */
export type CounterProps = {
  title: string;
  /** The list that it counts. */
  href: string;
  /** Whether somebody should look. */
  isUrgent?: boolean;
  chief: readonly [count: number, what: string];
  /** The others, as items of a list. */
  children: ReactNode;
};

/** Shows how many of something there are. */
export function Counter({ title, href, isUrgent = false, chief, children }: CounterProps) {
  const [count, what] = chief;
  return (
    <li className={isUrgent ? "card now-counter now-urgent" : "card now-counter"}>
      <h2 className="now-counter-title">
        <Link href={href}>{title}</Link>
      </h2>
      <p>
        <strong className="now-count">{count.toLocaleString("en")}</strong> {what}
      </p>
      <ul className="now-others">{children}</ul>
    </li>
  );
}
