import type { TadaDocumentNode } from "gql.tada";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { MISSION_MUTATIONS, STEP_MUTATIONS } from "./act-mutations.ts";
import { MISSION_ACTS, type MissionAct, type StepAct, describeOffline } from "./acts.ts";
import type { ShownMission } from "./mission-query.ts";

export type ActDialogProps = {
  act: MissionAct | StepAct;
  mission: ShownMission;
  stepKey: string | null;
  onClose: () => void;
};

type Given = { id: string; reason: string | null; stepKey?: string };

const MUTATIONS = { ...MISSION_MUTATIONS, ...STEP_MUTATIONS };

/** Asks for a reason, and describes the consequences, also if the robot is offline. */
export function ActDialog({ act, mission, stepKey, onClose }: ActDialogProps) {
  const { title, done, willHappen } = MISSION_ACTS[act];
  const offline = describeOffline(mission);
  return (
    <ReasonDialog
      title={stepKey === null ? `${title}?` : `${title} ${stepKey}?`}
      confirmLabel={title}
      // All these mutations take these variables. Only those for steps use the key.
      mutation={MUTATIONS[act] as TadaDocumentNode<unknown, Given>}
      toVariables={(reason) => ({ id: mission.id, reason, ...(stepKey !== null && { stepKey }) })}
      toDoneText={() => done}
      onClose={onClose}
      isDangerous={act === "cancel" || act === "force"}
    >
      <li>{willHappen}</li>
      {offline !== null && <li>{offline}</li>}
    </ReasonDialog>
  );
}
