import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { formatLabels, parseTypedLabels } from "../../policies/form/typed-labels.ts";
import type { ShownAgent } from "./agent-query.ts";

const SetAgentLabels = graphql(`
  mutation SetLabelsOfAgent($id: ID!, $labels: JSON!) {
    setAgentLabels(input: { id: $id, labels: $labels }) {
      agent {
        id
        labels
      }
    }
  }
`);

type Labeled = Pick<ShownAgent, "id" | "labels" | "archivedAt">;

/** Changes an agent's labels. Admins only. */
export function LabelsButton({ agent }: { agent: Labeled }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN") || agent.archivedAt !== null) return null;
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Change labels
      </button>
      {isOpen && <LabelsDialog agent={agent} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function LabelsDialog({ agent: { id, labels }, onClose }: { agent: Labeled; onClose: () => void }) {
  const [text, setText] = useState(() => formatLabels(labels));
  const { act, isBusy, problem } = useAct(SetAgentLabels);

  async function save(): Promise<void> {
    const typed = parseTypedLabels(text);
    // The server rejects what can't be read.
    const done = await act({ id, labels: typed === undefined ? text : (typed ?? {}) });
    if (done === null) return;
    onClose();
    showNotice("The labels have been changed.");
  }

  return (
    <ConfirmDialog
      title="Change labels"
      confirmLabel="Save"
      isOpen
      onClose={onClose}
      onConfirm={() => void save()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <p>Policies, budgets, stops, commands and missions select agents by their labels.</p>
      <TextField
        label="Labels"
        name="labels"
        hint="Such as site=hall-a, team=billing. Empty for none."
        value={text}
        onChange={setText}
        problem={problem}
      />
    </ConfirmDialog>
  );
}
