import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownRun } from "./run-query.ts";
import { TitledJson } from "./titled-json.tsx";
import { Link } from "wouter";

/** A run's details and score summaries. */
export function RunFacts({ run }: { run: ShownRun }) {
  return (
    <div className="stack">
      <section className="card stack-m" aria-label="Details">
        <Facts
          facts={[
            ["Agent", <Agent key="agent" run={run} />],
            ["Version", run.agentVersion],
            ["Created by", run.createdBy.name],
            ["Created", <TimeAgo key="created" at={run.createdAt} />],
            ["Finished", <TimeAgo key="ended" at={run.finishedAt} />],
            ["Cost", run.costUsd === null ? null : `$${run.costUsd.toFixed(2)}`],
            ["Compared with", <Baseline key="baseline" uuid={run.baselineRunUuid} />],
          ]}
        />
        {run.dataset !== null && <TitledJson title="Dataset" of={run.name} value={run.dataset} />}
        {run.source !== null && <TitledJson title="Source" of={run.name} value={run.source} />}
      </section>
      <Scores run={run} />
    </div>
  );
}

function Agent({ run: { agentUuid, agent } }: { run: ShownRun }) {
  return agentUuid === null ? (
    "–"
  ) : (
    <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>
  );
}

function Baseline({ uuid }: { uuid: string | null }) {
  return uuid === null ? "none" : <Link href={`/evaluations/${uuid}`}>View baseline</Link>;
}

function Scores({ run }: { run: ShownRun }) {
  const scores = parseScoreSummaries(run.scoreSummaries);
  if (scores.length === 0) return null;
  return (
    <section className="card stack-m" aria-labelledby="run-scores">
      <h2 id="run-scores">Scores</h2>
      <Facts
        facts={scores.map(({ name, mean, min, max, n }) => [
          name,
          <span key={name}>
            {mean.toFixed(3)}{" "}
            <span className="soft small">
              {min.toFixed(2)} to {max.toFixed(2)}, of {n}
            </span>
          </span>,
        ])}
      />
    </section>
  );
}

/** Summary of a score over the `n` results that have it. */
type ShownScoreSummary = { name: string; mean: number; min: number; max: number; n: number };

/** Parses a run's score summaries. Invalid ones are omitted. */
function parseScoreSummaries(summaries: unknown): ShownScoreSummary[] {
  return Array.isArray(summaries) ? summaries.filter(isSummary) : [];
}

function isSummary(value: unknown): value is ShownScoreSummary {
  if (typeof value !== "object" || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  const areNumbers = ["mean", "min", "max", "n"].every((name) => typeof fields[name] === "number");
  return typeof fields["name"] === "string" && areNumbers;
}
