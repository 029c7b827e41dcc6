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

/** Stops every agent of the workspace, after a reason and a second look. */
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
      toDoneText={() => "All agents are stopped."}
      onClose={onClose}
      isReasonRequired
    >
      <li>At once, no agent gets any more work. That holds for agents that are offline too.</li>
      <li>
        Every agent is told to stop, and every robot to halt. One that is offline hears it when it is back.
      </li>
      <li>What is being worked on is canceled, and stays so when the stop is released.</li>
      <li>This is no safety function: where people are in danger, use the robot’s own emergency stop.</li>
    </ReasonDialog>
  );
}
