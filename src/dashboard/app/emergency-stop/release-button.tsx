import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { useAct } from "../../data/use-act.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { tell } from "../../ui/notice.tsx";

const ReleaseEmergencyStop = graphql(`
  mutation ReleaseEmergencyStop($reason: String!) {
    releaseEmergencyStop(input: { reason: $reason }) {
      workspace {
        id
        emergencyStopAt
      }
    }
  }
`);

/** Ends the emergency stop, for admins. */
export function ReleaseButton() {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN")) return <p className="small">An admin can release it.</p>;
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Release…
      </button>
      {isOpen && <ReleaseDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ReleaseDialog({ onClose }: { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const { act, isBusy, problem } = useAct(ReleaseEmergencyStop);

  async function release(): Promise<void> {
    if ((await act({ reason })) === null) return;
    onClose();
    tell("The emergency stop is released.");
  }

  return (
    <ConfirmDialog
      title="Release the emergency stop?"
      confirmLabel="Release it"
      isOpen
      onClose={onClose}
      onConfirm={() => void release()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <ul className="consequences">
        <li>Agents get work again and are told to go on. One that is offline hears it when it is back.</li>
        <li>Agents that were paused or stopped one by one stay so.</li>
        <li>What was canceled stays canceled.</li>
      </ul>
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        onChange={setReason}
        problem={problem}
        isRequired
      />
    </ConfirmDialog>
  );
}
