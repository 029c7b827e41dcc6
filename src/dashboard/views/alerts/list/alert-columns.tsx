import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { AlertChip } from "../alert-chip.tsx";
import type { ShownAlert } from "../alert-fields.ts";
import { describeMetric, describeThreshold, describeWatched } from "../words/describe-watched.ts";
import { formatValue } from "../words/format-value.ts";
import { describeWaiting } from "../words/shown-state.ts";

export const ALERT_COLUMNS: readonly Column<ShownAlert>[] = [
  { header: "Rule", cell: ({ name }) => name },
  { header: "State", cell: (rule) => <AlertChip rule={rule} /> },
  { header: "Metric", cell: describeMetric },
  { header: "Of", cell: describeWatched },
  { header: "Fires above", cell: describeThreshold },
  { header: "Value", cell: Value },
  { header: "Since", cell: ({ stateSince }) => <TimeAgo at={stateSince} />, isEnd: true },
];

function Value(rule: ShownAlert) {
  const waiting = describeWaiting(rule);
  return (
    <span className="alerts-value">
      {rule.value === null ? <span className="soft">–</span> : formatValue(rule.metric, rule.value)}
      {waiting !== null && <span className="small soft">{waiting}</span>}
    </span>
  );
}
