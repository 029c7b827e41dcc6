import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";

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
  return (
    <ReasonDialog
      title="Release the emergency stop?"
      confirmLabel="Release it"
      mutation={ReleaseEmergencyStop}
      toVariables={(reason) => ({ reason: reason ?? "" })}
      toDoneText={() => "The emergency stop is released."}
      onClose={onClose}
      isReasonRequired
      isDangerous={false}
    >
      <li>Agents get work again and are told to go on. One that is offline hears it when it is back.</li>
      <li>Agents that were paused or stopped one by one stay so.</li>
      <li>What was canceled stays canceled.</li>
    </ReasonDialog>
  );
}
