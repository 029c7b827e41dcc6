import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { useKeys } from "../../../ui/use-keys.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { GrantApproval } from "./approval-mutations.ts";
import { DenyDialog } from "./deny-dialog.tsx";
import { describeGrant } from "./describe-grant.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { noteGrant } from "./note-grant.ts";

export type DecideProps = {
  approval: ShownApproval;
  /** Whether the user approved this already, and somebody else has to. */
  hasApproved: boolean;
};

/** Approves, or denies with a reason. Where admins decide, approving takes a second press. */
export function Decide({ approval, hasApproved }: DecideProps) {
  const { id, requestHash, role, canEdit } = approval;
  const [isArmed, setIsArmed] = useState(false);
  const [dialog, setDialog] = useState<"deny" | "edit" | null>(null);
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
    if (done !== null) noteGrant(done);
  }

  useKeys({ a: () => void approve(), d: () => setDialog("deny"), e: () => canEdit && setDialog("edit") });

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
        {canEdit && (
          <button type="button" className="button" onClick={() => setDialog("edit")}>
            Edit and approve&nbsp;<kbd>e</kbd>
          </button>
        )}
        <button type="button" className="button" onClick={() => setDialog("deny")}>
          Deny&nbsp;<kbd>d</kbd>
        </button>
      </div>
      {dialog === "deny" && <DenyDialog approval={approval} onClose={() => setDialog(null)} />}
      {dialog === "edit" && <EditDialog approval={approval} onClose={() => setDialog(null)} />}
    </>
  );
}
