import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownAgent } from "./agent-query.ts";

const SetAgentCapture = graphql(`
  mutation SetCaptureOfAgent($id: ID!, $captureContent: CaptureContent) {
    setAgentCapture(input: { id: $id, captureContent: $captureContent }) {
      agent {
        id
        captureContent
      }
    }
  }
`);

const CHOICES = ["FULL", "REDACTED", "OFF"] as const;

/** What is stored, by setting. */
const TITLES: Record<(typeof CHOICES)[number], string> = {
  FULL: "As the workspace says",
  REDACTED: "Without secrets and personal data",
  OFF: "Not stored",
};

const OPTIONS: readonly Option[] = [
  ["", TITLES.FULL],
  ["REDACTED", TITLES.REDACTED],
  ["OFF", TITLES.OFF],
];

type Captured = Pick<ShownAgent, "id" | "captureContent" | "archivedAt">;

/** What is stored of the content of an agent's traces. */
export function describeCapture({ captureContent }: Pick<ShownAgent, "captureContent">): string {
  return TITLES[captureContent ?? "FULL"];
}

/** Changes what is stored of the content of an agent's traces. Admins only. */
export function CaptureButton({ agent }: { agent: Captured }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN") || agent.archivedAt !== null) return null;
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Change what is stored
      </button>
      {isOpen && <CaptureDialog agent={agent} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CaptureDialog({ agent, onClose }: { agent: Captured; onClose: () => void }) {
  const [chosen, setChosen] = useState(agent.captureContent ?? "");
  const { act, isBusy, problem } = useAct(SetAgentCapture);

  async function save(): Promise<void> {
    const captureContent = CHOICES.find((one) => one === chosen) ?? null;
    if ((await act({ id: agent.id, captureContent })) === null) return;
    onClose();
    showNotice("What is stored of this agent’s traces has been changed.");
  }

  return (
    <ConfirmDialog
      title="Change what is stored"
      confirmLabel="Save"
      isOpen
      onClose={onClose}
      onConfirm={() => void save()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <p>From now on, of this agent’s traces. Never more than the workspace’s setting says.</p>
      <SelectField
        label="Prompts, answers and arguments"
        name="captureContent"
        value={chosen}
        options={OPTIONS}
        onChange={setChosen}
        problem={problem}
      />
    </ConfirmDialog>
  );
}
