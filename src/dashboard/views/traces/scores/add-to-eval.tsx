import { useState } from "react";
import { Link } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { AddTraceToEval, OpenRunsQuery } from "./eval-query.ts";

/** Adds a trace to an evaluation run that has not finished. */
export function AddToEval({ traceId }: { traceId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Add to an evaluation</summary>
      {isOpen && <AddForm traceId={traceId} />}
    </details>
  );
}

const STATUSES = [
  ["PASSED", "Passed"],
  ["FAILED", "Failed"],
  ["ERRORED", "Errored"],
  ["SKIPPED", "Skipped"],
] as const;

const EMPTY = { runId: "", itemKey: "", status: "FAILED", expected: "" };

function AddForm({ traceId }: { traceId: string }) {
  const [typed, setTyped] = useState<typeof EMPTY>(EMPTY);
  const [added, setAdded] = useState<string | null>(null);
  const { data, problem, refresh } = useLiveQuery(OpenRunsQuery, {}, { types: ["eval_run.*"] });
  const { act, isBusy, problem: refusal } = useAct(AddTraceToEval);
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const runs = [...data.running.nodes, ...data.queued.nodes];
  const [first] = runs;
  if (first === undefined) {
    return <p className="small soft">No evaluation run is open. An agent or a pipeline creates one.</p>;
  }
  const runId = runs.some(({ id }) => id === typed.runId) ? typed.runId : first.id;
  function bind<Name extends keyof typeof EMPTY>(name: Name) {
    return {
      name,
      value: typed[name],
      problem: refusal,
      onChange: (text: string) => setTyped({ ...typed, [name]: text }),
    };
  }

  async function send(): Promise<void> {
    setAdded(null);
    const done = await act({ input: { traceId, ...toInput({ ...typed, runId }) } });
    setAdded(done?.addTraceToEval.evalRun.uuid ?? null);
  }

  return (
    <div className="form">
      <Form sendLabel="Add to the run" onSend={() => void send()} isBusy={isBusy} problem={refusal}>
        <SelectField
          label="Run"
          {...bind("runId")}
          value={runId}
          options={runs.map(({ id, suite, name }) => [id, `${suite}: ${name}`])}
        />
        <SelectField label="Outcome" {...bind("status")} options={STATUSES} />
        <TextField
          label="Item"
          hint="The same in every run of the suite. Default: the trace’s id."
          {...bind("itemKey")}
        />
        <TextField label="Expected answer" hint="Text or JSON." isLong {...bind("expected")} />
      </Form>
      {added !== null && (
        <p role="status">
          Added to <Link href={`/evaluations/${added}`}>the run</Link>.
        </p>
      )}
    </div>
  );
}

function toInput({ runId, itemKey, status, expected }: typeof EMPTY) {
  return {
    runId,
    status: STATUSES.find(([value]) => value === status)?.[0] ?? "FAILED",
    itemKey: itemKey === "" ? null : itemKey,
    expected: expected === "" ? null : parseExpected(expected),
  };
}

/** Text that is no JSON is meant as text. */
function parseExpected(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
