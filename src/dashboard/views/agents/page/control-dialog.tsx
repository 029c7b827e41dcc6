import { graphql } from "../../../data/graphql.ts";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { toWords } from "../../../ui/words.ts";
import type { Controlled } from "./agent-query.ts";
import { CONTROL_ACTS, type ControlAct } from "./control-acts.ts";

const SetControlState = graphql(`
  mutation SetAgentControlState($id: ID!, $controlState: ControlState!, $reason: String) {
    setAgentControlState(input: { id: $id, controlState: $controlState, reason: $reason }) {
      agent {
        id
        controlState
      }
    }
  }
`);

/** What is to be done with whom. */
export type ControlDialogProps = { act: ControlAct; agent: Controlled; onClose: () => void };

/** Asks why, and says what holds at once and what waits for the agent. */
export function ControlDialog({ act, agent, onClose }: ControlDialogProps) {
  const { title, to, done, atOnce, instruction } = CONTROL_ACTS[act];
  return (
    <ReasonDialog
      title={`${title}?`}
      confirmLabel={title}
      mutation={SetControlState}
      toVariables={(reason) => ({ id: agent.id, controlState: to, reason })}
      toDoneText={() => done}
      onClose={onClose}
      isDangerous={act === "stop"}
    >
      <li>{atOnce} That holds also while it is offline.</li>
      <li>
        {agent.presence === "ONLINE"
          ? `${agent.name} is told to ${instruction} by a command, ahead of all others.`
          : `${agent.name} is ${toWords(agent.presence)}: it is told to ${instruction} when it is back. What it does on its own may go on until then.`}
      </li>
      {act !== "resume" && agent.kind === "ROBOT" && (
        <li>This is no safety function: where people are in danger, use the robot’s own emergency stop.</li>
      )}
    </ReasonDialog>
  );
}
