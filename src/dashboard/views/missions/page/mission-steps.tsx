import { useState } from "react";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Json } from "../../../ui/json.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { formatDuration, toWords } from "../../../ui/words.ts";
import { describeStep } from "../describe-step.ts";
import { isUnderWay } from "../mission-states.ts";
import { ActDialog } from "./act-dialog.tsx";
import { MISSION_ACTS, type StepAct } from "./acts.ts";
import type { ShownMission, ShownStep } from "./mission-query.ts";

type Steered = { act: StepAct; stepKey: string };

/** A mission's steps in order, with their actions. */
export function MissionSteps({ mission }: { mission: ShownMission }) {
  const [chosen, setChosen] = useState<Steered | null>(null);
  const mayAct = useIsAtLeast("OPERATOR") && isUnderWay(mission.status);
  return (
    <section className="card stack-s" aria-labelledby="mission-steps">
      <h2 id="mission-steps">Steps</h2>
      <ol className="missions-steps">
        {mission.steps.map((step) => (
          <li key={step.key}>
            <div className="row-between">
              <StepLine step={step} />
              <span className="actions">
                {(mayAct ? listStepActs(step) : []).map((act) => (
                  <button
                    key={act}
                    type="button"
                    className="button button-small"
                    onClick={() => setChosen({ act, stepKey: step.key })}
                  >
                    {MISSION_ACTS[act].label}
                    <span className="visually-hidden"> {step.key}</span>
                  </button>
                ))}
              </span>
            </div>
            <StepContent step={step} />
          </li>
        ))}
      </ol>
      {chosen !== null && <ActDialog {...chosen} mission={mission} onClose={() => setChosen(null)} />}
    </section>
  );
}

function StepLine({ step }: { step: ShownStep }) {
  const { seq, key, type, status, startedAt, finishedAt } = step;
  const seconds =
    startedAt === null || finishedAt === null
      ? null
      : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return (
    <span className="in-line">
      <span className="soft">{seq}.</span>
      <strong>{key}</strong>
      <span className="soft">{[toWords(type), describeStep(step)].filter(Boolean).join(" ")}</span>
      <StatusChip status={status} />
      {seconds !== null && <span className="soft small">{formatDuration(seconds)}</span>}
    </span>
  );
}

function StepContent({ step }: { step: ShownStep }) {
  const { key, params, result, error } = step;
  const isEmpty = typeof params !== "object" || params === null || Object.keys(params).length === 0;
  const said = [
    ["Params", isEmpty || describeStep(step) !== null ? null : params],
    ["Result", result],
    ["Error", error],
  ] as const;
  const facts = said
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) => [name, <ShortJson key={name} value={value} label={`${name} of ${key}`} />] as const,
    );
  return facts.length === 0 ? null : <Facts facts={facts} />;
}

const ONE_LINE = 72;

function ShortJson({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value);
  return text.length <= ONE_LINE ? <code>{text}</code> : <Json value={value} label={label} />;
}

function listStepActs({ status }: ShownStep): StepAct[] {
  if (status === "RETRIABLE") return ["retry", "skip"];
  return status === "FINISHED" || status === "SKIPPED" || status === "FAILED" ? [] : ["skip"];
}
