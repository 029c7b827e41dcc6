import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { useIsAtLeast, useViewer } from "../../data/viewer.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";

const EmergencyStop = graphql(`
  mutation EmergencyStop($reason: String!) {
    emergencyStop(input: { reason: $reason }) {
      workspace {
        id
        emergencyStopAt
      }
    }
  }
`);

/** Starts an emergency stop, after asking for a reason and confirmation. */
export function StopButton() {
  const [isOpen, setIsOpen] = useState(false);
  const { emergencyStop } = useViewer();
  if (!useIsAtLeast("OPERATOR") || emergencyStop !== null) return null;
  return (
    <>
      <button type="button" className="button button-small button-danger" onClick={() => setIsOpen(true)}>
        <span className="stop-long">Emergency stop</span>
        <span className="stop-short">Stop</span>
      </button>
      {isOpen && <StopDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function StopDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReasonDialog
      title="Stop all agents?"
      confirmLabel="Stop all agents now"
      mutation={EmergencyStop}
      toVariables={(reason) => ({ reason: reason ?? "" })}
      toDoneText={() => "All agents have been stopped."}
      onClose={onClose}
      isReasonRequired
    >
      <li>No agent gets any more work, effective immediately. This includes offline agents.</li>
      <li>
        Every agent receives a command to stop, and every robot to halt. Offline agents receive it when they
        reconnect.
      </li>
      <li>Work in progress is canceled, and stays canceled after the stop is released.</li>
      <li>This is not a safety function. If people are in danger, use the robot’s own emergency stop.</li>
    </ReasonDialog>
  );
}
