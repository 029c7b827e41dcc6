import { useState } from "react";
import { useLocation } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { ExecutionItem } from "../execution-fields.ts";

const ResolveExecution = graphql(
  `
    mutation ResolveExecution($id: ID!, $outcome: ExecutionOutcome!, $reason: String!) {
      resolveExecution(input: { id: $id, outcome: $outcome, reason: $reason }) {
        execution {
          ...ExecutionItem
        }
        retry {
          id
          uuid
        }
      }
    }
  `,
  [ExecutionItem],
);

const OUTCOMES = ["COMPLETED", "FAILED", "RETRIED"] as const;

type Outcome = (typeof OUTCOMES)[number];

const OPTIONS: readonly Option[] = [
  ["COMPLETED", "It was done"],
  ["FAILED", "It was not done"],
  ["RETRIED", "It is to be done again"],
];

const CONSEQUENCES: Readonly<Record<Outcome, readonly string[]>> = {
  COMPLETED: ["It counts as completed. The agent is not told to do anything."],
  FAILED: ["It counts as failed. To do it, the agent has to ask again."],
  RETRIED: [
    "The agent may do it once more, without asking again.",
    "If it was done after all, it is then done twice. Look first.",
  ],
};

/** Asks how an execution ended, and why the user thinks so. */
export function ResolveDialog({ execution, onClose }: { execution: ExecutionItem; onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>("COMPLETED");
  const [reason, setReason] = useState("");
  const { act, isBusy, problem } = useAct(ResolveExecution);
  const [, go] = useLocation();

  async function resolve(): Promise<void> {
    const done = await act({ id: execution.id, outcome, reason });
    if (done === null) return;
    onClose();
    const { retry } = done.resolveExecution;
    showNotice(retry === null ? "The execution has been resolved." : "The agent may do it again.");
    if (retry !== null) go(`/executions/${retry.uuid}`);
  }

  return (
    <ConfirmDialog
      title="How did it end?"
      confirmLabel={outcome === "RETRIED" ? "Let it be done again" : "Resolve"}
      isOpen
      onClose={onClose}
      onConfirm={() => void resolve()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={outcome === "RETRIED"}
    >
      <SelectField
        label="Outcome"
        name="outcome"
        options={OPTIONS}
        value={outcome}
        onChange={(chosen) => setOutcome(OUTCOMES.find((one) => one === chosen) ?? "COMPLETED")}
        problem={problem}
      />
      <ul className="consequences">
        {CONSEQUENCES[outcome].map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <TextField
        label="Reason"
        name="reason"
        hint="How you know. It is kept with the execution."
        value={reason}
        onChange={setReason}
        problem={problem}
        isRequired
      />
    </ConfirmDialog>
  );
}
