import { type ReactNode, useId } from "react";
import { Link, useSearch } from "wouter";
import type { TaskStatus } from "../task-filter.ts";
import { BoardCard } from "./board-card.tsx";
import type { BoardTask } from "./board-query.ts";

export type BoardColumnProps = {
  title: string;
  /** The status of the column's tasks, if they share one. */
  status?: TaskStatus;
  /** Null for more than 10,000. */
  total: number | null;
  tasks: readonly BoardTask[];
  empty: ReactNode;
  head?: ReactNode;
};

/** A column of the board with its tasks and their total. */
export function BoardColumn({ title, status, total, tasks, empty, head }: BoardColumnProps) {
  const heading = useId();
  const count = total === null ? "10,000+" : total.toLocaleString("en");
  return (
    <section className={`tasks-column tasks-${status?.toLowerCase() ?? "ended"}`} aria-labelledby={heading}>
      <div className="tasks-column-head">
        <h2 id={heading}>
          {title} <span className="tasks-total">{count}</span>
        </h2>
        {head}
      </div>
      {tasks.length === 0 ? (
        <p className="small soft">{empty}</p>
      ) : (
        <ul className="tasks-cards">
          {tasks.map((task) => (
            <BoardCard key={task.uuid} task={task} />
          ))}
        </ul>
      )}
      {total !== tasks.length && tasks.length > 0 && <More title={title} status={status} count={count} />}
    </section>
  );
}

type MoreProps = { title: string; status: TaskStatus | undefined; count: string };

function More({ title, status, count }: MoreProps) {
  const params = new URLSearchParams(useSearch());
  params.set("view", "list");
  if (status !== undefined) params.set("status", status);
  return (
    <p className="small">
      <Link href={`/tasks?${params}`}>
        {status === undefined ? "Show all tasks" : `Show all ${count}`}
        <span className="visually-hidden">: {title}</span>
      </Link>
    </p>
  );
}
