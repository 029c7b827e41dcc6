import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { formatCount } from "../../../ui/words.ts";

const DeleteTracesOfPerson = graphql(`
  mutation DeleteTracesOfPerson($person: String!, $after: String) {
    deleteTraces(input: { person: $person, after: $after }) {
      traces
      hasMore
      endCursor
    }
  }
`);

/** Deletes what spans name a person in, which may take a while: all traces are searched. */
export function DeletePersonTraces({ onClose }: { onClose: () => void }) {
  const [person, setPerson] = useState("");
  const { act, isBusy, problem } = useAct(DeleteTracesOfPerson);
  const [deleted, setDeleted] = useState(0);

  async function carryOut(): Promise<void> {
    let [count, after]: [number, string | null] = [0, null];
    for (let hasMore = true; hasMore;) {
      const result: Awaited<ReturnType<typeof act>> = await act({ person: person.trim(), after });
      if (result === null) return;
      ({ hasMore, endCursor: after } = result.deleteTraces);
      count += result.deleteTraces.traces;
      setDeleted(count);
    }
    onClose();
    showNotice(
      count === 0
        ? "No trace names that person."
        : `${formatCount(count, "trace has", "traces have")} been deleted.`,
    );
  }

  return (
    <ConfirmDialog
      title="Delete a person’s traces?"
      confirmLabel="Delete traces"
      isOpen
      onClose={onClose}
      onConfirm={() => void carryOut()}
      isBusy={isBusy}
      problem={problem}
    >
      <p>
        All traces with a span or a process that names the person, with their spans, prompts, answers and
        scores. This can’t be undone. What calls cost stays in the sums.
      </p>
      <TextField
        label="Person"
        name="person"
        hint="As agents send it, such as an ID or an email address in user.id or user.email."
        value={person}
        onChange={setPerson}
        problem={problem}
      />
      <p role="status">{isBusy && `${formatCount(deleted, "trace")} deleted so far.`}</p>
    </ConfirmDialog>
  );
}
