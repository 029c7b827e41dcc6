import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { tell } from "../../../ui/notice.tsx";
import { MISSION_MUTATIONS, STEP_MUTATIONS } from "./act-mutations.ts";
import { MISSION_ACTS, type MissionAct, type StepAct, whenOffline } from "./acts.ts";
import type { ShownMission } from "./mission-query.ts";

/** What is to be done with which mission, and with which of its steps. */
export type ActDialogProps = {
  act: MissionAct | StepAct;
  mission: ShownMission;
  stepKey: string | null;
  onClose: () => void;
};

type Given = { id: string; reason: string | null; stepKey?: string };

const MUTATIONS = { ...MISSION_MUTATIONS, ...STEP_MUTATIONS };

/** Asks why, and says what will happen, also where the robot is offline. */
export function ActDialog({ act: chosen, mission, stepKey, onClose }: ActDialogProps) {
  const [reason, setReason] = useState("");
  // Each takes these variables; only those of steps have a key.
  const { act, isBusy, problem } = useAct(MUTATIONS[chosen] as TadaDocumentNode<unknown, Given>);
  const { title, done, willHappen } = MISSION_ACTS[chosen];
  const offline = whenOffline(mission);

  async function carryOut(): Promise<void> {
    const given = { id: mission.id, reason: reason.trim() === "" ? null : reason };
    if ((await act({ ...given, ...(stepKey !== null && { stepKey }) })) === null) return;
    onClose();
    tell(done);
  }

  return (
    <ConfirmDialog
      title={stepKey === null ? `${title}?` : `${title} ${stepKey}?`}
      confirmLabel={title}
      isOpen
      onClose={onClose}
      onConfirm={() => void carryOut()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={chosen === "cancel" || chosen === "force"}
    >
      <ul className="consequences">
        <li>{willHappen}</li>
        {offline !== null && <li>{offline}</li>}
      </ul>
      <TextField label="Reason" name="reason" value={reason} onChange={setReason} problem={problem} />
    </ConfirmDialog>
  );
}
