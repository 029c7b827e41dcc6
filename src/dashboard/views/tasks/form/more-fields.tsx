import type { UserProblem } from "../../../data/problem.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { TypedTask } from "./task-input.ts";

/** Gives a field its name, its value, and who is told of a change. */
export type BindField = (name: keyof TypedTask) => {
  name: string;
  value: string;
  onChange: (value: string) => void;
  problem: UserProblem | null;
};

/** What is seldom given to a new task. */
export function MoreFields({ bind }: { bind: BindField }) {
  return (
    <details className="fold">
      <summary>More</summary>
      <div className="form">
        <TextField label="Data" hint="JSON, beside the instruction." isLong {...bind("data")} />
        <div className="columns">
          <TextField label="Priority" hint="0 to 9; 9 comes first." type="number" {...bind("priority")} />
          <TextField label="Attempts" hint="At most, 1 to 20." type="number" {...bind("maxAttempts")} />
          <TextField
            label="Deadline"
            hint="It fails when it is not done by then."
            type="datetime-local"
            {...bind("deadlineAt")}
          />
        </div>
      </div>
    </details>
  );
}
