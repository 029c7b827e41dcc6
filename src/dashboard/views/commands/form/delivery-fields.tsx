import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { COMMAND_EXPIRIES } from "./expiries.ts";
import type { ChangeOrder, CommandOrder } from "./order.ts";

export type DeliveryFieldsProps = { order: CommandOrder; onChange: ChangeOrder; problem: UserProblem | null };

/** Expiry and priority of a command. */
export function DeliveryFields({ order, onChange, problem }: DeliveryFieldsProps) {
  return (
    <div className="columns">
      <SelectField
        label="Expires"
        name="expiresInSeconds"
        hint="The command is dropped if it isn’t delivered by then."
        value={order.expiresInSeconds}
        options={COMMAND_EXPIRIES}
        onChange={(expiresInSeconds) => onChange({ expiresInSeconds })}
        problem={problem}
      />
      <CheckField
        label="Urgent"
        name="isUrgent"
        hint="Overtakes waiting commands."
        isChecked={order.isUrgent}
        onChange={(isUrgent) => onChange({ isUrgent })}
      />
    </div>
  );
}
