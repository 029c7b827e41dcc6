import { useWaitingApprovals } from "../data/use-waiting-approvals.ts";

/** How many approvals wait for people. Renders nothing for none. */
export function WaitingCount() {
  const count = useWaitingApprovals().data?.approvals.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <span className="badge badge-warn">
      {count.toLocaleString("en")}
      <span className="visually-hidden"> waiting for approval</span>
    </span>
  );
}
