import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";

const ReleaseAssumedAct = graphql(`
  mutation ReleaseAssumed($uuid: UUID!) {
    releaseAssumed(input: { uuid: $uuid }) {
      reservation {
        uuid
        assumed
        budgets {
          id
          used
        }
      }
    }
  }
`);

/** Gives back what was charged for a reservation that its agent never settled. For operators. */
export function ReleaseAssumed({ uuid, agentName }: { uuid: string; agentName: string }) {
  const mayRelease = useIsAtLeast("OPERATOR");
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(ReleaseAssumedAct);
  if (!mayRelease) return null;

  async function release(): Promise<void> {
    if ((await act({ uuid })) === null) return;
    setIsOpen(false);
    showNotice("What was assumed has been given back.");
  }

  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Give back<span className="visually-hidden"> what was assumed of {agentName}</span>
      </button>
      <ConfirmDialog
        title="Give back what was assumed?"
        confirmLabel="Give back"
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          clear();
        }}
        onConfirm={() => void release()}
        isBusy={isBusy}
        problem={problem}
        isDangerous={false}
      >
        <ul className="consequences">
          <li>{agentName} never said what it used. You say that it used nothing.</li>
          <li>It is given back to every budget that the reservation was for.</li>
          <li>If the agent still says what it used, that counts.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
}
