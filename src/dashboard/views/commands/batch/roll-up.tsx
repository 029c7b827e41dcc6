import { StatusChip } from "../../../ui/status-chip.tsx";
import type { CommandStatus } from "../command-statuses.ts";

export type Batch = {
  total: number;
  open: number;
  counts: readonly { status: CommandStatus; count: number }[];
};

/** How many commands of a batch succeeded, failed and are still open. */
export function RollUp({ batch: { total, open, counts } }: { batch: Batch }) {
  const succeeded = counts.find(({ status }) => status === "SUCCEEDED")?.count ?? 0;
  const failed = total - open - succeeded;
  const shown = [
    ["succeeded", succeeded, "good"],
    ["failed", failed, "bad"],
    ["pending", open, "open"],
  ] as const;
  return (
    <section className="card stack-m" aria-label="Summary">
      <dl className="commands-counts">
        {shown.map(([name, count, tone]) => (
          <div key={name} className={count === 0 ? "commands-none" : `commands-${tone}`}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
      <progress value={total - open} max={total} aria-label="Finished commands" />
      <ul className="in-line">
        {counts.map(({ status, count }) => (
          <li key={status}>
            <StatusChip status={status} /> <span className="small">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
