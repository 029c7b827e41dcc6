import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { ScoreTrace } from "./scores-query.ts";

const EMPTY = { name: "", value: "", label: "", comment: "" };

/** A form for a score of any name. */
export function OtherScore({ traceId, spanId }: { traceId: string; spanId: string | null }) {
  const [typed, setTyped] = useState(EMPTY);
  const { act, isBusy, problem } = useAct(ScoreTrace);
  function bind(name: keyof typeof EMPTY) {
    return {
      name,
      value: typed[name],
      problem,
      onChange: (text: string) => setTyped({ ...typed, [name]: text }),
    };
  }

  async function send(): Promise<void> {
    const { name, value, label, comment } = typed;
    const texts = { label: label === "" ? null : label, comment: comment === "" ? null : comment };
    const input = { traceId, spanId, name, value: value === "" ? null : Number(value), ...texts };
    if ((await act({ input })) !== null) setTyped(EMPTY);
  }

  return (
    <details className="fold">
      <summary>Another score</summary>
      <div className="form">
        <Form sendLabel="Save score" onSend={() => void send()} isBusy={isBusy} problem={problem}>
          <TextField label="Name" hint="What you judge, such as accuracy." {...bind("name")} />
          <TextField label="Value" type="number" {...bind("value")} />
          <TextField label="Label" hint="Instead of a value, or besides it." {...bind("label")} />
          <TextField label="Comment" isLong {...bind("comment")} />
        </Form>
      </div>
    </details>
  );
}
