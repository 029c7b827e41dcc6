import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { DurationField } from "../../../ui/form/duration-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedDuration } from "../../../ui/form/typed-duration.ts";
import { METRICS } from "../alert-metrics.ts";
import { type AlertChanges, toAlertChanges } from "./alert-input.ts";
import type { TypedAlert } from "./typed-alert.ts";
import { WatchedFields, type WatchedFieldsProps } from "./watched-fields.tsx";

export type AlertFormProps = {
  initial: TypedAlert;
  /** Whether it is a new one. What it watches can't be changed later. */
  isNew: boolean;
  sendLabel: string;
  onSave: (changes: AlertChanges, typed: TypedAlert) => void;
  isBusy: boolean;
  /** Why it wasn't saved. */
  problem: UserProblem | null;
};

/** An alert rule as a form. */
export function AlertForm({ initial, isNew, sendLabel, onSave, isBusy, problem: refused }: AlertFormProps) {
  const [typed, setTyped] = useState(initial);
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const problem = typing ?? refused;
  const fields = { typed, onChange: change, problem };

  function change(changes: Partial<TypedAlert>): void {
    setTyped((now) => ({ ...now, ...changes }));
  }

  function save(): void {
    const { changes, problem: unreadable } = toAlertChanges(typed);
    setTyping(unreadable);
    if (unreadable === null) onSave(changes, typed);
  }

  function bind(name: "name" | "description") {
    return { name, value: typed[name], problem, onChange: (value: string) => change({ [name]: value }) };
  }

  return (
    <div className="card alerts-form">
      <Form sendLabel={sendLabel} onSend={save} isBusy={isBusy} problem={problem}>
        <TextField label="Name" isRequired {...bind("name")} />
        <TextField label="Description" {...bind("description")} />
        {isNew && <WatchedFields {...fields} />}
        <div className="columns">
          <Threshold {...fields} />
          {METRICS[typed.metric].window !== null && (
            <Time label="Over the last" name="windowSeconds" of="window" {...fields} />
          )}
        </div>
        <div className="columns">
          <Time label="For at least" name="forSeconds" of="for" {...fields} />
          <Time label="Not again for" name="cooldownSeconds" of="cooldown" {...fields} />
        </div>
        <CheckField
          label="Enabled"
          name="enabled"
          isChecked={typed.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </Form>
    </div>
  );
}

const LABELS = { count: "Fires above", share: "Fires above (%)", usd: "Fires above ($)" } as const;

/** The threshold, in the unit of the metric. */
function Threshold({ typed, onChange, problem }: WatchedFieldsProps) {
  const { unit } = METRICS[typed.metric];
  const field = { name: "threshold", problem, isRequired: true };
  if (unit === "seconds") {
    return (
      <DurationField
        label="Fires above"
        value={typed.time}
        onChange={(time) => onChange({ time })}
        {...field}
      />
    );
  }
  return (
    <TextField
      label={LABELS[unit]}
      value={typed.amount}
      onChange={(amount) => onChange({ amount })}
      {...field}
    />
  );
}

const HINTS = {
  window: undefined,
  for: "How long it must be above. 0: at once.",
  cooldown: "After it was resolved.",
} as const;

type TimeProps = WatchedFieldsProps & { label: string; name: string; of: keyof typeof HINTS };

function Time({ label, name, of, typed, onChange, problem }: TimeProps) {
  const hint = HINTS[of];
  return (
    <DurationField
      {...{ label, name, problem }}
      {...(hint !== undefined && { hint })}
      value={typed[of]}
      onChange={(value: TypedDuration) => onChange({ [of]: value })}
      isRequired
    />
  );
}
