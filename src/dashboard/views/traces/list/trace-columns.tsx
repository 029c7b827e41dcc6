import { Link } from "wouter";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { getTraceName } from "../get-trace-name.ts";
import { TraceChips } from "../trace-chips.tsx";
import { Cost } from "../../../ui/cost.tsx";
import { TraceDuration } from "../trace-duration.tsx";
import type { TraceRow } from "./trace-rows.ts";

const NAME: Column<TraceRow> = { header: "Trace", cell: getTraceName };
const AGENT: Column<TraceRow> = {
  header: "Agent",
  cell: ({ agentUuid, agent }) => <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>,
};
const OTHERS: readonly Column<TraceRow>[] = [
  { header: "Status", cell: (trace) => <TraceChips trace={trace} /> },
  { header: "Spans", cell: ({ spanCount }) => spanCount.toLocaleString("en"), isEnd: true },
  {
    header: "Tokens",
    cell: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens).toLocaleString("en"),
    isEnd: true,
  },
  { header: "Cost", cell: (trace) => <Cost of={trace} />, isEnd: true },
  { header: "Duration", cell: (trace) => <TraceDuration trace={trace} />, isEnd: true },
  { header: "Started", cell: ({ startedAt }) => <TimeAgo at={startedAt} />, isEnd: true },
];

export const TRACE_COLUMNS: readonly Column<TraceRow>[] = [NAME, AGENT, ...OTHERS];

/** Columns of one agent's traces. */
export const AGENT_TRACE_COLUMNS: readonly Column<TraceRow>[] = [NAME, ...OTHERS];
