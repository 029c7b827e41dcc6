import { type Option, type OptionGroup, SelectField } from "../../../ui/form/select-field.tsx";
import { formatCount } from "../../../ui/words.ts";
import type { EarlierMission } from "./mission-input.ts";
import type { Recent } from "./recent-missions.ts";
import type { Template } from "./templates.ts";

export type StartFromProps = {
  templates: readonly Template[];
  recent: Recent;
  /** `template`: its name, if it is one. */
  onChoose: (mission: EarlierMission, template: string | null) => void;
};

/** Fills in the form by a template, or as one of the last missions was. */
export function StartFrom({ templates, recent: { missions }, onChoose }: StartFromProps) {
  const groups: OptionGroup[] = [
    { label: "Templates", options: templates.map((each) => toOption(each, each.name)) },
    { label: "Recent missions", options: missions.map((each) => toOption(each, each.title)) },
  ].filter(({ options }) => options.length > 0);
  if (groups.length === 0) return null;
  return (
    <SelectField
      label="Start from"
      name="like"
      value=""
      options={[["", templates.length > 0 ? "Choose a template or a mission" : "Choose a recent mission"]]}
      groups={groups}
      onChange={(uuid) => {
        const template = templates.find((each) => each.uuid === uuid);
        const chosen = template ?? missions.find((each) => each.uuid === uuid);
        if (chosen !== undefined) onChoose(chosen, template?.name ?? null);
      }}
    />
  );
}

function toOption({ uuid, steps }: { uuid: string; steps: readonly unknown[] }, name: string): Option {
  return [uuid, `${name} (${formatCount(steps.length, "step")})`];
}
