import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { Form } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { toWords } from "../../../ui/words.ts";
import { MISSION_KINDS } from "../mission-states.ts";
import { type TypedMission, toMissionInput, toTypedMission } from "./mission-input.ts";
import { useRecentMissions } from "./recent-missions.ts";
import { RobotChoice } from "./robot-choice.tsx";
import { StartFrom } from "./start-from.tsx";
import { StepRows } from "./step-rows.tsx";

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
        <StartFrom recent={recent} onChoose={(mission) => setTyped(toTypedMission(mission))} />
        <TextField
          label="Title"
          name="title"
          value={typed.title}
          onChange={(title) => change({ title })}
          problem={problem}
          isRequired
        />
        <SelectField
          label="Kind"
          name="kind"
          value={typed.kind}
          options={MISSION_KINDS.map((kind) => [kind, toWords(kind)] as const)}
          onChange={(kind) => change({ kind })}
          problem={problem}
        />
        <RobotChoice typed={typed} places={recent.places} onChange={change} problem={problem} />
        <StepRows
          steps={typed.steps}
          onChange={(steps) => change({ steps })}
          recent={recent}
          problem={problem}
        />
      </Form>
    </div>
  );
}
