import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { useKeys } from "../../../ui/use-keys.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { DenyApproval, GrantApproval } from "./approval-mutations.ts";
import { describeGrant } from "./describe-grant.ts";

export type DecideProps = {
  approval: ShownApproval;
  /** Whether the user approved this already, and somebody else has to. */
  hasApproved: boolean;
};

/** Approves, or denies with a reason. Where admins decide, approving takes a second press. */
export function Decide({ approval, hasApproved }: DecideProps) {
  const { id, requestHash, role } = approval;
  const [isArmed, setIsArmed] = useState(false);
  const [isDenying, setIsDenying] = useState(false);
  const { act, isBusy, problem } = useAct(GrantApproval);
  const takesTwo = role === "ADMIN" || role === "OWNER";

  async function approve(): Promise<void> {
    if (isBusy || hasApproved) return;
    if (takesTwo && !isArmed) {
      setIsArmed(true);
      return;
    }
    setIsArmed(false);
    const done = await act({ id, requestHash });
    if (done === null) return;
    const isOpen = done.grantApproval.approval.status === "PENDING";
    showNotice(isOpen ? "You approved it. Another person has to approve it, too." : "Approved.");
  }

  useKeys({ a: () => void approve(), d: () => setIsDenying(true) });

  return (
    <>
      <p>
        {hasApproved ? "You approved it. Another person has to approve it, too." : describeGrant(approval)}
      </p>
      <ErrorNote problem={problem} />
      <div className="actions">
        {!hasApproved && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isBusy}
            onClick={() => void approve()}
          >
            {isArmed ? "Press again to approve" : "Approve"}&nbsp;<kbd>a</kbd>
          </button>
        )}
        <button type="button" className="button" onClick={() => setIsDenying(true)}>
          Deny&nbsp;<kbd>d</kbd>
        </button>
      </div>
      {isDenying && <DenyDialog approval={approval} onClose={() => setIsDenying(false)} />}
    </>
  );
}

function DenyDialog({ approval, onClose }: { approval: ShownApproval; onClose: () => void }) {
  const { id, requestHash, agent } = approval;
  return (
    <ReasonDialog
      title="Deny it?"
      confirmLabel="Deny"
      mutation={DenyApproval}
      toVariables={(reason) => ({ id, requestHash, comment: reason ?? "" })}
      toDoneText={() => "Denied."}
      onClose={onClose}
      isReasonRequired
    >
      <li>{agent?.name ?? "The agent"} reads the reason. Asking the same again is denied for a while.</li>
    </ReasonDialog>
  );
}
