import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedTerms } from "./typed-policy.ts";

export type ApprovalFieldsProps = {
  terms: TypedTerms;
  onChange: (terms: TypedTerms) => void;
  problem: UserProblem | null;
};

const ROLES: readonly Option[] = [
  ["OPERATOR", "Operators and above"],
  ["ADMIN", "Admins and above"],
];
const PERSONS: readonly Option[] = [
  ["1", "One person"],
  ["2", "Two different people"],
];
const SCOPES: readonly Option[] = [
  ["EXACT", "Exactly this request"],
  ["TOOL", "Any request to the same resource"],
];

/** How a person approves. */
export function ApprovalFields({ terms, onChange, problem }: ApprovalFieldsProps) {
  function bind(name: Exclude<keyof TypedTerms, "edits">) {
    return {
      name: `approval.${name}`,
      value: terms[name],
      problem,
      onChange: (value: string) => onChange({ ...terms, [name]: value }),
    };
  }

  return (
    <fieldset className="stack-m">
      <legend className="legend">Approval</legend>
      <div className="columns">
        <SelectField label="Who approves" options={ROLES} {...bind("role")} />
        <SelectField label="How many" options={PERSONS} {...bind("persons")} />
        <SelectField label="It is for" options={SCOPES} {...bind("scope")} />
      </div>
      <div className="columns">
        <TextField label="Seconds to decide" hint="60 to 86,400" type="number" {...bind("ttlSeconds")} />
        <TextField label="Seconds it holds" hint="10 to 86,400" type="number" {...bind("validSeconds")} />
        <TextField label="Uses" hint="1 to 100" type="number" {...bind("uses")} />
      </div>
      <CheckField
        label="Approvers may edit the arguments"
        name="approval.edits"
        isChecked={terms.edits}
        onChange={(edits) => onChange({ ...terms, edits })}
      />
    </fieldset>
  );
}
