import { formatPassRate, parseResultCounts } from "../result-counts.ts";
import type { ShownRun } from "./run-query.ts";

/** A run's totals, and the gate rules that failed. */
export function RunTotals({ run }: { run: ShownRun }) {
  const counts = parseResultCounts(run.resultCounts);
  return (
    <section className="card stack-m" aria-labelledby="run-totals">
      <h2 id="run-totals">Outcome</h2>
      <dl className="evaluations-counts">
        {[
          ["Pass rate", formatPassRate(counts)],
          ["Passed", counts.passed],
          ["Failed", counts.failed],
          ["Errored", counts.errored],
          ["Skipped", counts.skipped],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Why run={run} />
    </section>
  );
}

function Why({ run: { verdict, verdictReasons, gate } }: { run: ShownRun }) {
  if (gate === null) return <p className="soft">This run has no gate, so it has no verdict.</p>;
  return (
    <>
      {verdictReasons.length > 0 && (
        <div className={verdict === "FAILED" ? "notice notice-bad" : "notice"}>
          <p className="notice-title">{verdict === "FAILED" ? "Why it failed" : "Not checked"}</p>
          <ul>
            {verdictReasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {verdict === "PASSED" && verdictReasons.length === 0 && (
        <p className="notice notice-good">All gate rules passed.</p>
      )}
      <p className="small soft">
        Gate: <code>{JSON.stringify(gate)}</code>
      </p>
    </>
  );
}
