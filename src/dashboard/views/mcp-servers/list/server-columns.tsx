import { Link } from "wouter";
import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatMicroseconds } from "../../traces/format-microseconds.ts";
import { formatCalls, formatDenials } from "../format-traffic.ts";
import { HealthChip } from "../health-chip.tsx";
import type { ListedServer } from "./servers-query.ts";

export const SERVER_COLUMNS: readonly Column<ListedServer>[] = [
  { header: "Server", cell: ({ name }) => name },
  { header: "Name in policies", cell: ({ slug }) => <code>{slug}</code> },
  { header: "Host", cell: Host },
  { header: "Health", cell: (server) => <HealthChip server={server} /> },
  { header: "Tools", cell: Tools },
  { header: "Calls in 24 h", cell: Calls, isEnd: true },
  { header: "Denied", cell: ({ traffic }) => formatDenials(traffic.denials), isEnd: true },
  { header: "p95", cell: Slowest, isEnd: true },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Calls({ uuid, traffic: { calls, held } }: ListedServer) {
  return (
    <span className="in-line">
      {held > 0 && <span className="badge badge-warn">{held} held</span>}
      <Link href={`/mcp-servers/${uuid}/calls`}>{formatCalls(calls)}</Link>
    </span>
  );
}

function Slowest({ traffic: { p95Ms } }: ListedServer) {
  return <span className="nowrap">{p95Ms === null ? "–" : formatMicroseconds(p95Ms * 1000)}</span>;
}

function Host({ url, enabled }: ListedServer) {
  return (
    <span className="in-line">
      <span className="nowrap">{new URL(url).host}</span>
      {!enabled && <span className="badge">disabled</span>}
    </span>
  );
}

function Tools(server: ListedServer) {
  const waiting = countWaitingTools(server);
  return (
    <span className="in-line">
      {server.toolCounts.approved} approved
      {waiting > 0 && <span className="badge badge-warn">{waiting} to review</span>}
    </span>
  );
}
