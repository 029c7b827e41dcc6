import { Link } from "wouter";
import { useIsAtLeast, useViewer } from "../../../data/viewer.tsx";
import { toWords } from "../../../ui/words.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { getOrderKind } from "../get-order-kind.ts";
import { Decide } from "./decide.tsx";
import { Revoke } from "./revoke.tsx";

/** What the user can do about an approval. `next` is the id of the next that waits. */
export function Acts({ approval, next }: { approval: ShownApproval; next: string | null }) {
  return (
    <section className="card stack-m" aria-label="Decision">
      <PossibleActs approval={approval} />
      {next !== null && (
        <p>
          <Link href={`/approvals/${next}`}>Next that waits</Link> <kbd>.</kbd>
        </p>
      )}
    </section>
  );
}

function PossibleActs({ approval }: { approval: ShownApproval }) {
  const { status, role, reviews, revokedAt } = approval;
  const mayDecide = useIsAtLeast(role);
  const { uuid } = useViewer();
  const hasApproved = reviews.some(
    ({ by, verdict, current }) => by.uuid === uuid && verdict === "APPROVE" && current,
  );
  if (status !== "PENDING") {
    // An approved order has gone ahead.
    const isOrder = getOrderKind(approval) !== null;
    const isRevocable = status === "APPROVED" && revokedAt === null && mayDecide && !isOrder;
    return (
      <>
        <p>{OUTCOMES[status]}</p>
        {revokedAt !== null && <p>{approval.revokedBy?.name ?? "Somebody"} revoked it.</p>}
        {approval.comment !== null && <p className="approvals-comment">{approval.comment}</p>}
        {isRevocable && <Revoke approval={approval} />}
      </>
    );
  }
  if (!mayDecide) return <p>People who are {toWords(role)} or above decide this.</p>;
  return <Decide approval={approval} hasApproved={hasApproved} />;
}

const OUTCOMES = {
  APPROVED: "It was approved.",
  DENIED: "It was denied.",
  EXPIRED: "Nobody decided in time. The agent may ask again.",
  CANCELLED:
    "The question is void: it was taken back, its task was canceled, or the agent or a policy changed.",
} as const;
