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

/** Makes a completed run what the next ones of its suite are compared with. */
export function PromoteButton({ run }: { run: ShownRun }) {
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem } = useAct(Promote);
  const mayAct = useIsAtLeast("OPERATOR");
  if (!mayAct || run.baseline || run.status !== "COMPLETED") return null;

  async function promote(): Promise<void> {
    if ((await act({ id: run.id })) === null) return;
    setIsOpen(false);
    showNotice("The run is its suite’s baseline.");
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Make it the baseline
      </button>
      <ConfirmDialog
        title="Make it the baseline?"
        confirmLabel="Make it the baseline"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => void promote()}
        isBusy={isBusy}
        problem={problem}
        isDangerous={false}
      >
        <ul className="consequences">
          <li>
            Runs of {run.suite} that ask for the latest baseline are compared with this one from now on.
          </li>
          <li>It takes the place of the baseline until now. Runs that were made before keep theirs.</li>
          {run.verdict === "FAILED" && (
            <li>Its own verdict is failed: what is worse now will count as usual.</li>
          )}
        </ul>
      </ConfirmDialog>
    </>
  );
}
