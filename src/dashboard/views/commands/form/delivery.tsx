import type { Problem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { EXPIRIES } from "./expiries.ts";
import type { ChangeOrder, Order } from "./order.ts";

/** How the command is delivered. */
export type DeliveryProps = { order: Order; onChange: ChangeOrder; problem: Problem | null };

/** Until when it may be delivered, and whether before the others. */
export function Delivery({ order, onChange, problem }: DeliveryProps) {
  return (
    <div className="columns">
      <SelectField
        label="Expires"
        name="expiresInSeconds"
        hint="If it is not delivered by then."
        value={order.expiresInSeconds}
        options={EXPIRIES}
        onChange={(expiresInSeconds) => onChange({ expiresInSeconds })}
        problem={problem}
      />
      <CheckField
        label="Urgent"
        name="isUrgent"
        hint="Overtakes the commands that wait."
        isChecked={order.isUrgent}
        onChange={(isUrgent) => onChange({ isUrgent })}
      />
    </div>
  );
}
