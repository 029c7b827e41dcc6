import { useState } from "react";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import type { ShownApproval } from "../approval-fields.ts";
import { RevokeApproval } from "./approval-mutations.ts";

/** Takes an approval back. */
export function Revoke({ approval }: { approval: ShownApproval }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="actions">
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Revoke approval
      </button>
      {isOpen && (
        <ReasonDialog
          title="Revoke the approval?"
          confirmLabel="Revoke"
          mutation={RevokeApproval}
          toVariables={(reason) => ({ id: approval.id, reason: reason ?? "" })}
          toDoneText={() => "The approval has been revoked."}
          onClose={() => setIsOpen(false)}
          isReasonRequired
        >
          <li>It can’t be used from now on. What the agent began with it goes on.</li>
        </ReasonDialog>
      )}
    </div>
  );
}
