import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { tell } from "../../../ui/notice.tsx";
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
export function ControlDialog({ act: chosen, agent, onClose }: ControlDialogProps) {
  const [reason, setReason] = useState("");
  const { act, isBusy, problem } = useAct(SetControlState);
  const { title, to, done, atOnce, told } = CONTROL_ACTS[chosen];

  async function carryOut(): Promise<void> {
    const set = await act({ id: agent.id, controlState: to, reason: reason.trim() === "" ? null : reason });
    if (set === null) return;
    onClose();
    tell(done);
  }

  return (
    <ConfirmDialog
      title={`${title}?`}
      confirmLabel={title}
      isOpen
      onClose={onClose}
      onConfirm={() => void carryOut()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={chosen === "stop"}
    >
      <ul className="consequences">
        <li>{atOnce} That holds also while it is offline.</li>
        <li>
          {agent.presence === "ONLINE"
            ? `${agent.name} is told to ${told} by a command, ahead of all others.`
            : `${agent.name} is ${agent.presence.toLowerCase()}: it is told to ${told} when it is back. What it does on its own may go on until then.`}
        </li>
        {chosen !== "resume" && agent.kind === "ROBOT" && (
          <li>This is no safety function: where people are in danger, use the robot’s own emergency stop.</li>
        )}
      </ul>
      <TextField label="Reason" name="reason" value={reason} onChange={setReason} problem={problem} />
    </ConfirmDialog>
  );
}
