import type { UserProblem } from "../../../data/problem.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedTask } from "./task-input.ts";

/** Props for a field bound to a value. */
export type BindField = (name: keyof TypedTask) => {
  name: string;
  value: string;
  onChange: (value: string) => void;
  problem: UserProblem | null;
};

/** Rarely used fields of a new task. */
export function MoreFields({ bind }: { bind: BindField }) {
  return (
    <details className="fold">
      <summary>More</summary>
      <div className="form">
        <TextField label="Data" hint="JSON, in addition to the instruction." isLong {...bind("data")} />
        <div className="columns">
          <TextField
            label="Priority"
            hint="0 to 9. Higher numbers come first."
            type="number"
            {...bind("priority")}
          />
          <TextField label="Maximum attempts" hint="1 to 20." type="number" {...bind("maxAttempts")} />
          <TextField
            label="Deadline"
            hint="The task fails if it isn’t finished by then."
            type="datetime-local"
            {...bind("deadlineAt")}
          />
        </div>
      </div>
    </details>
  );
}
