import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { Form } from "../../../ui/form/form.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { MissionFields } from "./mission-fields.tsx";
import { type TypedMission, toMissionInput, toTypedMission } from "./mission-input.ts";
import { useRecentMissions } from "./recent-missions.ts";
import { StartFrom } from "./start-from.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { useTemplates } from "./templates.ts";

const CreateMission = graphql(`
  mutation CreateMission($input: CreateMissionInput!) {
    createMission(input: $input) {
      mission {
        id
        uuid
      }
    }
  }
`);

/** The form for a new mission. */
export function NewMissionForm({ initial }: { initial: TypedMission }) {
  const [typed, setTyped] = useState(initial);
  const [from, setFrom] = useState<string | null>(null);
  const { templates, refresh } = useTemplates();
  const recent = useRecentMissions();
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const { act, isBusy, problem: serverProblem } = useAct(CreateMission);
  const [, go] = useLocation();
  const problem = typing ?? serverProblem;

  function change(changes: Partial<typeof typed>): void {
    setTyped((now) => ({ ...now, ...changes }));
  }

  async function create(): Promise<void> {
    const read = toMissionInput(typed);
    setTyping(read.problem);
    const made = read.input === null ? null : await act({ input: read.input });
    if (made === null) return;
    showNotice("The mission has been created.");
    go(`/missions/${made.createMission.mission.uuid}`);
  }

  return (
    <div className="card missions-form">
      <Form sendLabel="Create mission" onSend={() => void create()} isBusy={isBusy} problem={problem}>
        <StartFrom
          templates={templates}
          recent={recent}
          onChoose={(mission, template) => {
            setTyped(toTypedMission(mission));
            setFrom(template);
          }}
        />
        <MissionFields typed={typed} recent={recent} onChange={change} problem={problem} />
      </Form>
      <TemplateActions
        typed={typed}
        templates={templates}
        from={from}
        onProblem={setTyping}
        onChange={(name) => {
          setFrom(name);
          refresh();
        }}
      />
    </div>
  );
}
