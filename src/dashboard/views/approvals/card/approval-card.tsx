import { useEffect, useRef } from "react";
import { NotFound } from "../../../app/not-found.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { Countdown } from "../../../ui/countdown.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { BackLink } from "../../../ui/list-detail/list-detail.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { RelatedExecutions } from "../../executions/related-executions.tsx";
import { Asker } from "../../decisions/asker.tsx";
import { Acts } from "../acts/acts.tsx";
import { ApprovalChip } from "../approval-chip.tsx";
import { APPROVAL_TYPES, ApprovalQuery, type ShownApproval } from "../approval-fields.ts";
import { getApprovalTitle } from "../get-approval-title.ts";
import { getOrderKind } from "../get-order-kind.ts";
import { ApprovalFacts } from "./approval-facts.tsx";
import { Arguments } from "./arguments.tsx";
import { Reviews } from "./reviews.tsx";
import { TaskContext } from "./task-context.tsx";

/** One approval. It stays where it is, whatever happens to it. `next` is the id of the next that waits. */
export function ApprovalCard({ uuid, next }: { uuid: string; next: string | null }) {
  const query = useLiveQuery(ApprovalQuery, { id: toGlobalId("Approval", uuid) }, { types: APPROVAL_TYPES });
  const { data, problem, isLoading, refresh } = query;
  if (problem?.code === "NOT_FOUND") return <NotFound what="approval" />;
  return (
    <div className="stack">
      <BackLink href="/approvals">All approvals</BackLink>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={data === null ? 6 : 0} />
      {data !== null && <Shown approval={data.approval} next={next} />}
    </div>
  );
}

function Shown({ approval, next }: { approval: ShownApproval; next: string | null }) {
  const { uuid, requestHash } = approval;
  const heading = useRef<HTMLHeadingElement>(null);
  // Where the list is hidden, what was focused is gone.
  useEffect(() => {
    if (document.activeElement?.checkVisibility() !== true || document.activeElement === document.body) {
      heading.current?.focus();
    }
  }, []);
  return (
    <>
      <div className="stack-s">
        <h2 ref={heading} tabIndex={-1} className="approvals-title">
          {getApprovalTitle(approval)}
        </h2>
        <div className="in-line">
          <Status approval={approval} />
          <span>
            <Asker asking={approval} /> <Asked approval={approval} />
          </span>
        </div>
      </div>
      <Arguments approval={approval} />
      <Acts key={`${uuid} ${requestHash}`} approval={approval} next={next} />
      <Reviews approval={approval} />
      {approval.usedCount > 0 && getOrderKind(approval) === null && (
        <RelatedExecutions filter={{ approvalId: approval.id }} />
      )}
      {approval.taskUuid !== null && <TaskContext taskUuid={approval.taskUuid} />}
      <ApprovalFacts approval={approval} />
    </>
  );
}

/** What whoever asked did. */
function Asked({ approval }: { approval: ShownApproval }) {
  const order = getOrderKind(approval);
  if (order === "mission") return "created the mission";
  return (
    <>
      {order === null ? "asks for" : "issued the command"}{" "}
      <span className="tag">{toVisibleText(approval.action)}</span>
    </>
  );
}

/** What became of it, in place. */
function Status({ approval }: { approval: ShownApproval }) {
  const { status, expiresAt, decidedAt, revokedAt } = approval;
  const at = revokedAt ?? decidedAt;
  return (
    <span className="in-line" role="status">
      <ApprovalChip status={status} isRevoked={revokedAt !== null} />
      {status === "PENDING" ? (
        <span aria-hidden="true">
          <Countdown until={expiresAt} />
        </span>
      ) : (
        at !== null && <TimeAgo at={at} />
      )}
    </span>
  );
}
