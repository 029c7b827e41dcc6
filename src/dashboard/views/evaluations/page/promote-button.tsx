import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownRun } from "./run-query.ts";

const Promote = graphql(`
  mutation PromoteEvalBaseline($id: ID!) {
    promoteEvalBaseline(input: { id: $id }) {
      evalRun {
        id
        baseline
      }
    }
  }
`);

/** Makes a completed run the baseline of its suite. */
export function PromoteButton({ run }: { run: ShownRun }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem } = useAct(Promote);
  const mayAct = useIsAtLeast("OPERATOR");
  if (!mayAct || run.baseline || run.status !== "COMPLETED") return null;

  async function promote(): Promise<void> {
    if ((await act({ id: run.id })) === null) return;
    setIsOpen(false);
    showNotice("This run is now the baseline of its suite.");
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Make baseline
      </button>
      <ConfirmDialog
        title="Make this run the baseline?"
        confirmLabel="Make baseline"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => void promote()}
        isBusy={isBusy}
        problem={problem}
        isDangerous={false}
      >
        <ul className="consequences">
          <li>New runs of {run.suite} will be compared with this run if they use the latest baseline.</li>
          <li>It replaces the current baseline. Existing runs keep theirs.</li>
          {run.verdict === "FAILED" && (
            <li>This run failed its gate: its regressions will count as normal.</li>
          )}
        </ul>
      </ConfirmDialog>
    </>
  );
}
