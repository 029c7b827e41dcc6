import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { toGlobalId } from "../../data/global-id.ts";
import type { UserProblem } from "../../data/problem.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { AgentField } from "../../ui/form/agent-field.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { formatCount } from "../../ui/words.ts";
import { readLabels } from "./read-labels.ts";

const ResumeAgents = graphql(`
  mutation ResumeAgents($id: ID!, $agents: ResumedAgents!, $reason: String!) {
    resumeAgents(input: { id: $id, agents: $agents, reason: $reason }) {
      stop {
        id
        stages {
          count
        }
      }
    }
  }
`);

const WAYS = [
  ["percent", "A percentage"],
  ["labels", "Those with labels"],
  ["ids", "One agent"],
] as const;

type Way = (typeof WAYS)[number][0];

/** Resumes some agents of a stop. Admins only. */
export function ResumeButton({ stopId }: { stopId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAtLeast("ADMIN")) return null;
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Resume some…
      </button>
      {isOpen && <ResumeDialog stopId={stopId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ResumeDialog({ stopId, onClose }: { stopId: string; onClose: () => void }) {
  const [meant, setMeant] = useState<Meant>({ way: "percent", text: "10" });
  return (
    <ReasonDialog
      title="Resume some agents?"
      confirmLabel="Resume them"
      mutation={ResumeAgents}
      toVariables={(reason) => ({ id: stopId, agents: toAgents(meant), reason: reason ?? "" })}
      toDoneText={({ resumeAgents }) =>
        `${formatCount(resumeAgents.stop.stages.at(-1)?.count ?? 0, "agent")} resumed.`
      }
      onClose={onClose}
      renderFields={(problem) => <MeantFields meant={meant} onChange={setMeant} problem={problem} />}
      isReasonRequired
      isDangerous={false}
    >
      <li>They get work again, unless another stop covers them, and receive a command to resume.</li>
      <li>The others stay stopped: resume them in the next stage, or release the stop.</li>
    </ReasonDialog>
  );
}

type Meant = { way: Way; text: string };

type MeantFieldsProps = { meant: Meant; onChange: (meant: Meant) => void; problem: UserProblem | null };

function MeantFields({ meant: { way, text }, onChange, problem }: MeantFieldsProps) {
  const field = {
    problem,
    value: text,
    isRequired: true,
    onChange: (changed: string) => onChange({ way, text: changed }),
  };
  function choose(value: string): void {
    const next = WAYS.find(([one]) => one === value)?.[0] ?? "percent";
    onChange({ way: next, text: next === "percent" ? "10" : "" });
  }
  return (
    <>
      <SelectField
        label="Agents"
        name="agents"
        value={way}
        options={WAYS}
        onChange={choose}
        problem={problem}
      />
      {way === "percent" && (
        <TextField
          {...field}
          label="Percent"
          name="agents.percent"
          hint="1 to 100. A larger number later takes the same agents, and more."
          type="number"
        />
      )}
      {way === "labels" && (
        <TextField
          {...field}
          label="Labels"
          name="agents.labels"
          hint="Such as hall=a, shift=night. They must have all of them."
        />
      )}
      {way === "ids" && <AgentField {...field} label="Agent" name="agents.ids" none="No agent" />}
    </>
  );
}

function toAgents({ way, text }: Meant) {
  if (way === "percent") return { percent: Number(text) };
  return way === "labels" ? { labels: readLabels(text) } : { ids: [toGlobalId("Agent", text)] };
}
