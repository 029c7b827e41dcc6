import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { type TypedMission, toMissionInput } from "./mission-input.ts";
import type { Template } from "./templates.ts";

const SetMissionTemplate = graphql(`
  mutation SetMissionTemplate($input: SetMissionTemplateInput!) {
    setMissionTemplate(input: $input) {
      missionTemplate {
        uuid
        name
      }
    }
  }
`);

export type SaveTemplateProps = {
  typed: TypedMission;
  templates: readonly Template[];
  /** The name of the template that the form was filled in from. */
  from: string | null;
  /** Called with what is wrong with the form, or null. */
  onProblem: (problem: UserProblem | null) => void;
  onSaved: (name: string) => void;
};

/** Saves what the form has, except its robot, under a name to start from again. */
export function SaveTemplate({ typed, onProblem, ...rest }: SaveTemplateProps) {
  const [isOpen, setIsOpen] = useState(false);

  function open(): void {
    const { problem } = toMissionInput(typed);
    onProblem(problem);
    setIsOpen(problem === null);
  }

  return (
    <>
      <button type="button" className="button" onClick={open}>
        Save as template
      </button>
      <Dialog title="Save as template" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <NameForm typed={typed} {...rest} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

type NameFormProps = Omit<SaveTemplateProps, "onProblem"> & { onClose: () => void };

function NameForm({ typed, templates, from, onSaved, onClose }: NameFormProps) {
  const [name, setName] = useState(from ?? typed.title);
  const { act, isBusy, problem } = useAct(SetMissionTemplate);
  const isKnown = templates.some((template) => template.name === name.trim());

  async function save(): Promise<void> {
    const { input } = toMissionInput({ ...typed, robot: "" });
    const saved = input === null ? null : await act({ input: { ...input, name } });
    if (saved === null) return;
    const { missionTemplate } = saved.setMissionTemplate;
    showNotice(`The template ${missionTemplate.name} has been saved.`);
    onSaved(missionTemplate.name);
    onClose();
  }

  return (
    <Form
      sendLabel={isKnown ? "Replace template" : "Save template"}
      onSend={() => void save()}
      onBack={onClose}
      isBusy={isBusy}
      problem={problem}
    >
      <TextField
        label="Template name"
        hint={
          isKnown
            ? "There is a template of this name: it will be replaced."
            : "Everybody in the workspace can start from it."
        }
        name="name"
        value={name}
        onChange={setName}
        problem={problem}
        isRequired
      />
    </Form>
  );
}
