import { useFiringAlerts } from "../data/use-firing-alerts.ts";
import { useWaitingApprovals } from "../data/use-waiting-approvals.ts";
import { useWaitingKeys } from "../data/use-waiting-keys.ts";
import { countWaitingTools, useWaitingMcpServers } from "../data/use-waiting-mcp-servers.ts";

/** How much waits in the inbox. Renders nothing for none. */
export function InboxCount() {
  return <WaitingCount count={useWaitingKeys().count} what="waiting for you" />;
}

/** How many approvals wait for people. Renders nothing for none. */
export function WaitingApprovalCount() {
  const count = useWaitingApprovals().data?.approvals.totalCount ?? 0;
  return <WaitingCount count={count} what="waiting for approval" />;
}

/** How many alert rules fire. Renders nothing for none. */
export function FiringAlertCount() {
  const count = useFiringAlerts().data?.alertRules.totalCount ?? 0;
  return <WaitingCount count={count} what="firing" tone="bad" />;
}

/** How many tools of MCP servers wait for a review. Renders nothing for none. */
export function WaitingToolCount() {
  const servers = useWaitingMcpServers().data ?? [];
  const count = servers.reduce((sum, server) => sum + countWaitingTools(server), 0);
  return <WaitingCount count={count} what="waiting for review" />;
}

type WaitingCountProps = { count: number; what: string; tone?: "warn" | "bad" };

function WaitingCount({ count, what, tone = "warn" }: WaitingCountProps) {
  if (count === 0) return null;
  return (
    <span className={`badge badge-${tone}`}>
      {count.toLocaleString("en")}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}
