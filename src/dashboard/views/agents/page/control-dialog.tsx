import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { toWords } from "../../../ui/words.ts";
import type { Controlled } from "./agent-query.ts";
import { CONTROL_ACTS, type ControlAct } from "./control-acts.ts";
import { SetControlState } from "./set-control-state.ts";

export type ControlDialogProps = { act: ControlAct; agent: Controlled; onClose: () => void };

/** Asks for a reason, and explains what happens at once and what depends on the agent. */
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
      <li>{atOnce} This also applies while it is offline.</li>
      <li>
        {agent.presence === "ONLINE"
          ? `${agent.name} receives an urgent command to ${instruction}.`
          : `${agent.name} is ${toWords(agent.presence)} and receives the command to ${instruction} when it reconnects. Until then it may continue on its own.`}
      </li>
      {act !== "resume" && agent.kind === "ROBOT" && (
        <li>This is not a safety function. If people are in danger, use the robot’s own emergency stop.</li>
      )}
    </ReasonDialog>
  );
}
