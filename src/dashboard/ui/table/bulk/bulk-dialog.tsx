import { useState } from "react";
import { useClient } from "urql";
import { ConfirmDialog } from "../../confirm-dialog.tsx";
import { TextField } from "../../form/text-field.tsx";
import { showNotice } from "../../notice.tsx";
import { type BulkAct, type Failure, runOnAll } from "./bulk-act.ts";

export type BulkDialogProps<Node> = {
  title: string;
  act: BulkAct<Node>;
  nodes: readonly Node[];
  getName: (node: Node) => string;
  onClose: () => void;
  /** Called when all rows were acted on. */
  onDone: () => void;
};

/** Describes the consequences, asks for a reason, acts on the rows, and says which failed. */
export function BulkDialog<Node>({ title, act, nodes, getName, onClose, onDone }: BulkDialogProps<Node>) {
  const client = useClient();
  const [reason, setReason] = useState("");
  const [done, setDone] = useState<number | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const isOver = failures.length > 0;

  async function carryOut(): Promise<void> {
    setDone(0);
    const given = reason.trim() === "" ? null : reason;
    const failed = await runOnAll(
      nodes,
      async (node) => {
        const problem = await act.run(client, node, given);
        return problem === null ? null : { name: getName(node), text: problem.text };
      },
      setDone,
    );
    setDone(null);
    setFailures(failed);
    showNotice(`${nodes.length - failed.length} of ${nodes.length} ${act.done}.`);
    if (failed.length > 0) return;
    onClose();
    onDone();
  }

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={isOver ? "Close" : title.replace("?", "")}
      isOpen
      onClose={onClose}
      onConfirm={() => (isOver ? onClose() : void carryOut())}
      isBusy={done !== null}
      isDangerous={act.isDangerous && !isOver}
    >
      {isOver ? (
        <Failures failures={failures} />
      ) : (
        <>
          <Consequences of={act} />
          <TextField label="Reason" name="reason" value={reason} onChange={setReason} />
          {done !== null && (
            <progress max={nodes.length} value={done} aria-label={`${done} of ${nodes.length}`} />
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

function Consequences({ of: { consequences } }: { of: Pick<BulkAct<never>, "consequences"> }) {
  return (
    <ul className="consequences">
      {consequences.map((consequence) => (
        <li key={consequence}>{consequence}</li>
      ))}
    </ul>
  );
}

const SHOWN = 20;

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">Not all could be done</p>
      <ul>
        {failures.slice(0, SHOWN).map(({ name, text }) => (
          <li key={name}>
            {name}: {text}
          </li>
        ))}
        {failures.length > SHOWN && <li>and {failures.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
