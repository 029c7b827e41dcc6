import type { UserProblem } from "../../../data/problem.ts";
import type { Option } from "../../../ui/form/select-field.tsx";
import { ActionRows } from "./action-rows.tsx";
import { EntityRows } from "./entity-rows.tsx";
import type { ChangePolicy, TypedPolicy } from "./typed-policy.ts";

export type ScopeFieldsProps = { typed: TypedPolicy; onChange: ChangePolicy; problem: UserProblem | null };

const SUBJECT_TYPES: readonly Option[] = [
  ["agent", "Agents"],
  ["member", "Members"],
];
const RESOURCE_TYPES: readonly Option[] = [
  ["tool", "Tools"],
  ["agent", "Agents"],
];

/** Who does what on what. */
export function ScopeFields({ typed, onChange, problem }: ScopeFieldsProps) {
  return (
    <>
      <EntityRows
        name="subjects"
        legend="Who: any of"
        one="subject"
        none="Everybody."
        types={SUBJECT_TYPES}
        entities={typed.subjects}
        onChange={(subjects) => onChange({ subjects })}
        problem={problem}
      />
      <ActionRows actions={typed.actions} onChange={(actions) => onChange({ actions })} problem={problem} />
      <EntityRows
        name="resources"
        legend="On any of"
        one="resource"
        none="Anything."
        types={RESOURCE_TYPES}
        entities={typed.resources}
        onChange={(resources) => onChange({ resources })}
        problem={problem}
      />
    </>
  );
}
