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

/** Releases the emergency stop. Admins only. */
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
      confirmLabel="Release"
      mutation={ReleaseEmergencyStop}
      toVariables={(reason) => ({ reason: reason ?? "" })}
      toDoneText={() => "The emergency stop has been released."}
      onClose={onClose}
      isReasonRequired
      isDangerous={false}
    >
      <li>
        Agents get work again and receive a command to resume. Offline agents receive it when they reconnect.
      </li>
      <li>Agents that were paused or stopped individually stay that way.</li>
      <li>Canceled work stays canceled.</li>
    </ReasonDialog>
  );
}
