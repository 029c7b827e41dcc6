import { Link } from "wouter";

/** How many tasks ended in each way. */
export type EndedTotalsProps = {
  counts: { completed: number; failed: number; canceled: number; rejected: number };
};

/** Each way in which tasks end, with its total and its list. */
export function EndedTotals({ counts }: EndedTotalsProps) {
  const ways = [
    ["completed", counts.completed],
    ["failed", counts.failed],
    ["canceled", counts.canceled],
    ["rejected", counts.rejected],
  ] as const;
  return (
    <ul className="tasks-ways">
      {ways.map(([way, count]) => (
        <li key={way}>
          <Link href={`/tasks?view=list&status=${way.toUpperCase()}`}>
            {count.toLocaleString("en")} {way}
          </Link>
        </li>
      ))}
    </ul>
  );
}
