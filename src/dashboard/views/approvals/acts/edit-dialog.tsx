import { useState } from "react";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { parseJson } from "../../commands/form/parse-json.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { getArguments } from "../get-arguments.ts";
import { GrantApproval } from "./approval-mutations.ts";
import { noteGrant } from "./note-grant.ts";

const INDENT = 2;

/** Approves with other arguments than the agent's. */
export function EditDialog({ approval, onClose }: { approval: ShownApproval; onClose: () => void }) {
  const { id, requestHash, request, editedArguments } = approval;
  const [text, setText] = useState(
    JSON.stringify(editedArguments ?? getArguments(request) ?? {}, null, INDENT),
  );
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const { act, isBusy, problem } = useAct(GrantApproval);

  async function approve(): Promise<void> {
    const read = parseJson(text);
    setTyping(read.isValid ? null : toTypingProblem(read.problem));
    const done = read.isValid ? await act({ id, requestHash, arguments: read.value }) : null;
    if (done === null) return;
    onClose();
    noteGrant(done);
  }

  return (
    <ConfirmDialog
      title="Edit and approve"
      confirmLabel="Approve with these arguments"
      isOpen
      onClose={onClose}
      onConfirm={() => void approve()}
      isBusy={isBusy}
      problem={typing ?? problem}
      isDangerous={false}
    >
      <p>
        The policies are asked about what you write. The agent is told to use it; who approved other arguments
        has to approve again.
      </p>
      <TextField
        label="Arguments"
        name="arguments"
        hint="A JSON object."
        value={text}
        onChange={setText}
        problem={typing ?? problem}
        isLong
        isRequired
      />
    </ConfirmDialog>
  );
}

function toTypingProblem(text: string): UserProblem {
  return { text: "This is not JSON.", code: "TYPED", fields: { arguments: text } };
}
