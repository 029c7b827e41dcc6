import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";

const ReleaseStop = graphql(`
  mutation ReleaseStop($id: ID!, $reason: String!) {
    releaseStop(input: { id: $id, reason: $reason }) {
      stop {
        id
      }
    }
  }
`);

/** Releases a stop. Admins only. */
export function ReleaseButton({ stopId }: { stopId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN")) return <p className="small">An admin can release it.</p>;
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Release…
      </button>
      {isOpen && <ReleaseDialog stopId={stopId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ReleaseDialog({ stopId, onClose }: { stopId: string; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Release the emergency stop?"
      confirmLabel="Release"
      mutation={ReleaseStop}
      toVariables={(reason) => ({ id: stopId, reason: reason ?? "" })}
      toDoneText={() => "The emergency stop has been released."}
      onClose={onClose}
      isReasonRequired
      isDangerous={false}
    >
      <li>
        Agents that no other stop covers get work again and receive a command to resume. Offline agents
        receive it when they reconnect.
      </li>
      <li>Agents that were paused or stopped individually stay that way.</li>
      <li>Canceled work stays canceled.</li>
    </ReasonDialog>
  );
}
