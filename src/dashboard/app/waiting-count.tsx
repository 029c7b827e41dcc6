import { useWaitingApprovals } from "../data/use-waiting-approvals.ts";
import { countWaitingTools, useWaitingMcpServers } from "../data/use-waiting-mcp-servers.ts";

/** How many approvals wait for people. Renders nothing for none. */
export function WaitingApprovalCount() {
  const count = useWaitingApprovals().data?.approvals.totalCount ?? 0;
  return <WaitingCount count={count} what="waiting for approval" />;
}

/** How many tools of MCP servers wait for a review. Renders nothing for none. */
export function WaitingToolCount() {
  const servers = useWaitingMcpServers().data ?? [];
  const count = servers.reduce((sum, server) => sum + countWaitingTools(server), 0);
  return <WaitingCount count={count} what="waiting for review" />;
}

function WaitingCount({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className="badge badge-warn">
      {count.toLocaleString("en")}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}
