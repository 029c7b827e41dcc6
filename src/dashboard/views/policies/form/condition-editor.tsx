import { useId, useRef } from "react";
import { Field } from "../../../ui/form/field.tsx";
import { markText } from "./mark-text.ts";
import { ProblemList } from "./problem-list.tsx";
import type { Checked, RuleProblem } from "./use-validation.ts";

export type ConditionEditorProps = {
  value: string;
  onChange: (when: string) => void;
  checked: Checked;
};

/** The condition, with what is wrong underlined where it is and listed below as one types. */
export function ConditionEditor({ value, onChange, checked }: ConditionEditorProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const errors = checked.errors.filter(isOfCondition);
  const warnings = checked.warnings.filter(isOfCondition);
  const marks = checked.when === value ? [...errors, ...warnings] : [];

  function show({ start, end }: RuleProblem): void {
    input.current?.focus();
    if (start !== null && end !== null) input.current?.setSelectionRange(start, end);
  }

  return (
    <div className="stack-s">
      <Field
        label="When"
        name="when"
        hint="A condition in CEL, such as has(args.amount) && args.amount > 500. Empty: always."
      >
        {(control) => (
          <div className="policies-editor">
            <div className="policies-marks" aria-hidden="true">
              {markText(value, marks).map(({ at, text, isMarked }) =>
                isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
              )}
              {"\n"}
            </div>
            <textarea
              {...control}
              ref={input}
              className="input"
              aria-describedby={[control["aria-describedby"], list].filter(Boolean).join(" ")}
              aria-invalid={errors.length > 0}
              spellCheck={false}
              autoCapitalize="off"
              value={value}
              onChange={({ target }) => onChange(target.value)}
            />
          </div>
        )}
      </Field>
      <div id={list} role="status">
        <ProblemList problems={errors} text={checked.when} isError onShow={show} />
        <ProblemList problems={warnings} text={checked.when} isError={false} onShow={show} />
      </div>
    </div>
  );
}

function isOfCondition({ field }: RuleProblem): boolean {
  return field === "when";
}
