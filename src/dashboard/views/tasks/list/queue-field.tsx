import { useId, useState } from "react";
import { Field } from "../../../ui/form/field.tsx";
import { useQueueNames } from "../use-queue-names.ts";

/** The whole name of a queue: one that is known, or any other, which counts when the field is left. */
export function QueueField({ queue, onChange }: { queue: string; onChange: (queue: string) => void }) {
  const [typed, setTyped] = useState(queue);
  const names = useQueueNames();
  const list = useId();

  function settle(next: string): void {
    if (next !== queue) onChange(next.trim());
  }

  return (
    <Field label="Queue" name="queue">
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={list}
            value={typed}
            placeholder="All"
            onChange={({ target }) => {
              setTyped(target.value);
              if (target.value === "" || names.includes(target.value)) settle(target.value);
            }}
            onBlur={() => settle(typed)}
            onKeyDown={({ key }) => {
              if (key === "Enter") settle(typed);
            }}
          />
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
