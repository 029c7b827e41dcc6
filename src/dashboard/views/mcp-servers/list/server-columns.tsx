import { countWaitingTools } from "../../../data/use-waiting-mcp-servers.ts";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { HealthChip } from "../health-chip.tsx";
import type { ShownServer } from "../server-fields.ts";

export const SERVER_COLUMNS: readonly Column<ShownServer>[] = [
  { header: "Server", cell: ({ name }) => name },
  { header: "Name in policies", cell: ({ slug }) => <code>{slug}</code> },
  { header: "Host", cell: Host },
  { header: "Health", cell: (server) => <HealthChip server={server} /> },
  { header: "Tools", cell: Tools },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Host({ url, enabled }: ShownServer) {
  return (
    <span className="in-line">
      {new URL(url).host}
      {!enabled && <span className="badge">disabled</span>}
    </span>
  );
}

function Tools(server: ShownServer) {
  const waiting = countWaitingTools(server);
  return (
    <span className="in-line">
      {server.toolCounts.approved} approved
      {waiting > 0 && <span className="badge badge-warn">{waiting} to review</span>}
    </span>
  );
}
