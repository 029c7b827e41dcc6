import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/form/field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { FloorPlan } from "./floor-plans.ts";
import { type TypedPose, parseMapYaml } from "./parse-map-yaml.ts";
import { putFloorPlan } from "./put-floor-plan.ts";

const DeleteFloorPlan = graphql(`
  mutation DeleteFloorPlan($mapId: String!) {
    deleteFloorPlan(input: { mapId: $mapId }) {
      floorPlan {
        uuid
      }
    }
  }
`);

export type PlanButtonsProps = {
  mapId: string;
  /** The plan that the map has. */
  plan: FloorPlan | null;
  /** Called after it was saved or deleted. */
  onChange: () => void;
};

/** Adds, replaces or deletes a map's floor plan. */
export function PlanButtons({ mapId, plan, onChange }: PlanButtonsProps) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const { act, isBusy, problem, clear } = useAct(DeleteFloorPlan);

  function close(): void {
    setOpen(null);
    clear();
  }

  async function remove(): Promise<void> {
    if ((await act({ mapId })) === null) return;
    close();
    onChange();
    showNotice(`The floor plan of ${mapId} has been deleted.`);
  }

  return (
    <div className="actions">
      <button type="button" className="button button-small" onClick={() => setOpen("edit")}>
        {plan === null ? "Add floor plan" : "Edit floor plan"}
      </button>
      {plan !== null && (
        <button type="button" className="button button-small" onClick={() => setOpen("delete")}>
          Delete floor plan
        </button>
      )}
      <Dialog title={`Floor plan of ${mapId}`} isOpen={open === "edit"} onClose={close}>
        <PlanForm mapId={mapId} plan={plan} onClose={close} onChange={onChange} />
      </Dialog>
      <ConfirmDialog
        title={`Delete the floor plan of ${mapId}?`}
        confirmLabel="Delete floor plan"
        isOpen={open === "delete"}
        onClose={close}
        onConfirm={() => void remove()}
        isBusy={isBusy}
        problem={problem}
      >
        <ul className="consequences">
          <li>The map shows its grid alone. Robots and missions are not affected.</li>
        </ul>
      </ConfirmDialog>
    </div>
  );
}

const EMPTY_POSE: TypedPose = { resolution: "0.05", originX: "0", originY: "0", originYaw: "0" };

const POSE_FIELDS = [
  ["resolution", "Resolution (m per pixel)"],
  ["originX", "Origin x (m)"],
  ["originY", "Origin y (m)"],
  ["originYaw", "Origin yaw (rad)"],
] as const;

function PlanForm({ mapId, plan, onClose, onChange }: PlanButtonsProps & { onClose: () => void }) {
  const [pose, setPose] = useState(plan === null ? EMPTY_POSE : toTyped(plan));
  const [file, setFile] = useState<File | null>(null);
  const [yaml, setYaml] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<UserProblem | null>(null);

  async function save(): Promise<void> {
    setIsBusy(true);
    const found = await putFloorPlan(mapId, pose, file);
    setIsBusy(false);
    setProblem(found);
    if (found !== null) return;
    onClose();
    onChange();
    showNotice(`The floor plan of ${mapId} has been saved.`);
  }

  return (
    <Form
      sendLabel="Save floor plan"
      onSend={() => void save()}
      onBack={onClose}
      isBusy={isBusy}
      problem={problem}
    >
      <ImageField isRequired={plan === null} problem={problem} onChange={setFile} />
      <TextField
        label="map.yaml"
        name="yaml"
        hint="Paste it here to fill in the four fields below."
        placeholder={"resolution: 0.05\norigin: [-10.0, -4.2, 0.0]"}
        isLong
        value={yaml}
        onChange={(text) => {
          setYaml(text);
          setPose((now) => ({ ...now, ...parseMapYaml(text) }));
        }}
      />
      <PoseFields
        pose={pose}
        onChange={(changes) => setPose((now) => ({ ...now, ...changes }))}
        problem={problem}
      />
    </Form>
  );
}

type PoseFieldsProps = {
  pose: TypedPose;
  onChange: (changes: Partial<TypedPose>) => void;
  problem: UserProblem | null;
};

function PoseFields({ pose, onChange, problem }: PoseFieldsProps) {
  return (
    <>
      <div className="columns">
        {POSE_FIELDS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            value={pose[name]}
            onChange={(value) => onChange({ [name]: value })}
            problem={problem}
            isRequired
          />
        ))}
      </div>
      <p className="hint">The origin is the lower left corner of the image on the map, as in ROS.</p>
    </>
  );
}

type ImageFieldProps = {
  /** Whether there is none yet. */
  isRequired: boolean;
  problem: UserProblem | null;
  onChange: (file: File | null) => void;
};

function ImageField({ isRequired, problem, onChange }: ImageFieldProps) {
  return (
    <Field
      label={isRequired ? "Image" : "Another image"}
      name="image"
      hint="PNG or SVG, at most 2 MiB. An SVG's pixels are the units of its view box."
      problem={problem}
      isRequired={isRequired}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          type="file"
          accept="image/png,image/svg+xml,.png,.svg"
          onChange={({ target }) => onChange(target.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

function toTyped({ resolution, originX, originY, originYaw }: FloorPlan): TypedPose {
  return {
    ...{ resolution: String(resolution), originX: String(originX) },
    ...{ originY: String(originY), originYaw: String(originYaw) },
  };
}
