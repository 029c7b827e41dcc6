import { Link } from "wouter";
import { useWaitingApprovals } from "../../../data/use-waiting-approvals.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { getApprovalTitle } from "../../approvals/get-approval-title.ts";
import { getAskerName } from "../../decisions/get-asker-name.ts";

/** The approvals that have waited longest. Hidden if there are none. */
export function WaitingApprovals() {
  const { data, problem, refresh } = useWaitingApprovals();
  const nodes = data?.approvals.nodes ?? [];
  const more = (data?.approvals.totalCount ?? 0) - nodes.length;
  if (nodes.length === 0 && problem === null) return null;
  return (
    <section className="card stack-m now-questions" aria-labelledby="now-approvals">
      <div className="row-between">
        <h2 id="now-approvals">Waiting for approval</h2>
        {more > 0 && <Link href="/approvals">{`${more.toLocaleString("en")} more`}</Link>}
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ul className="now-question-list">
        {nodes.toReversed().map((approval) => (
          <li key={approval.uuid} className="row-between">
            <span>
              <Link href={`/approvals/${approval.uuid}`}>{getApprovalTitle(approval)}</Link>{" "}
              <span className="soft">{getAskerName(approval)}</span>
            </span>
            <span className="small soft">
              asked <TimeAgo at={approval.createdAt} /> · <Countdown until={approval.expiresAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
