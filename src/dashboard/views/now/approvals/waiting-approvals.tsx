import { Link } from "wouter";
import { useWaitingApprovals } from "../../../data/use-waiting-approvals.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";

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
        {nodes.toReversed().map(({ uuid, resourceId, agent, createdAt, expiresAt }) => (
          <li key={uuid} className="row-between">
            <span>
              <Link href={`/approvals/${uuid}`}>{toVisibleText(resourceId)}</Link>{" "}
              <span className="soft">{agent?.name ?? "Unnamed agent"}</span>
            </span>
            <span className="small soft">
              asked <TimeAgo at={createdAt} /> · <Countdown until={expiresAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
