import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import type { ShownApproval } from "../approval-fields.ts";
import { getOrderKind } from "../get-order-kind.ts";
import { DenyApproval } from "./approval-mutations.ts";

/** Denies with a reason. */
export function DenyDialog({ approval, onClose }: { approval: ShownApproval; onClose: () => void }) {
  const { id, requestHash, agent } = approval;
  const order = getOrderKind(approval);
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
      <li>
        {order === null
          ? `${agent?.name ?? "The agent"} reads the reason. Asking the same again is denied for a while.`
          : `The ${order} is canceled. Whoever issued it reads the reason.`}
      </li>
    </ReasonDialog>
  );
}
