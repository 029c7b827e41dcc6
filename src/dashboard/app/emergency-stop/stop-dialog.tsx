import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { readLabels } from "./read-labels.ts";

const EmergencyStop = graphql(`
  mutation EmergencyStop($reason: String!, $scope: AgentSelector) {
    emergencyStop(input: { reason: $reason, scope: $scope }) {
      stop {
        id
      }
    }
  }
`);

type Kind = "" | "SOFTWARE" | "ROBOT";

const KINDS = [
  ["", "All agents"],
  ["ROBOT", "Robots only"],
  ["SOFTWARE", "Software agents only"],
] as const;

/** Asks whom to stop, for a reason and for confirmation. */
export function StopDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>("");
  const [labels, setLabels] = useState("");
  const isOfAll = kind === "" && labels.trim() === "";
  const scope = { kind: kind === "" ? null : kind, labels: readLabels(labels) };
  return (
    <ReasonDialog
      title={isOfAll ? "Stop all agents?" : "Stop these agents?"}
      confirmLabel={isOfAll ? "Stop all agents now" : "Stop these agents now"}
      mutation={EmergencyStop}
      toVariables={(reason) => ({ reason: reason ?? "", scope: isOfAll ? null : scope })}
      toDoneText={() => (isOfAll ? "All agents have been stopped." : "The agents have been stopped.")}
      onClose={onClose}
      renderFields={(problem) => (
        <>
          <SelectField
            label="Agents"
            name="scope.kind"
            value={kind}
            options={KINDS}
            onChange={(value) => setKind(KINDS.find(([one]) => one === value)?.[0] ?? "")}
            problem={problem}
          />
          <TextField
            label="Only those with labels"
            name="scope.labels"
            hint="Such as hall=a, shift=night. They must have all of them. Empty for all."
            value={labels}
            onChange={setLabels}
            problem={problem}
          />
        </>
      )}
      isReasonRequired
    >
      <li>They get no more work, and whatever they ask is denied, at once. This includes offline agents.</li>
      <li>
        Each receives a command to stop, and each robot to halt. Offline agents receive it when they
        reconnect.
      </li>
      <li>Work in progress is canceled, and stays canceled after the stop is released.</li>
      <li>This is not a safety function. If people are in danger, use the robot’s own emergency stop.</li>
    </ReasonDialog>
  );
}
