import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { formatCount } from "../../../ui/words.ts";
import { BaselineField } from "./baseline-field.tsx";
import { ChangeList } from "./change-list.tsx";
import type { ShownRun } from "./run-query.ts";

const ComparisonQuery = graphql(`
  query EvalComparison($id: ID!, $baselineId: ID) {
    evalComparison(runId: $id, baselineId: $baselineId, first: 100) {
      baseline {
        id
        uuid
        name
      }
      counts {
        regressions
        improvements
        added
        removed
        unchanged
      }
      scoreDeltas {
        name
        from
        to
        delta
      }
      regressions {
        itemKey
        from
        to
      }
      improvements {
        itemKey
        from
        to
      }
      added {
        itemKey
        from
        to
      }
      removed {
        itemKey
        from
        to
      }
    }
  }
`);

type ScoreDelta = ResultOf<typeof ComparisonQuery>["evalComparison"]["scoreDeltas"][number];

/** A run beside its baseline, or beside another run of its suite that is chosen. */
export function Comparison({ run }: { run: ShownRun }) {
  const { values, bind } = useUrlState({ with: "" });
  const chosen = isUuid(values.with) ? values.with : run.baselineRunUuid;
  if (run.startedAt === null) return null;
  return (
    <section className="card stack-m" aria-labelledby="run-comparison">
      <div className="row-between">
        <h2 id="run-comparison">Compared with another run</h2>
        <BaselineField run={run} {...bind("with")} />
      </div>
      {chosen === null ? (
        <p className="soft">It has no baseline. Choose a run to compare it with.</p>
      ) : (
        <Changes run={run} baselineId={toGlobalId("EvalRun", chosen)} />
      )}
    </section>
  );
}

/** Differences from a run, regressions first. */
function Changes({ run: { id, finishedAt }, baselineId }: { run: ShownRun; baselineId: string }) {
  const { data, problem, refresh } = useLiveQuery(
    ComparisonQuery,
    { id, baselineId },
    { types: ["eval_run.*"], apartMs: 2000 },
  );
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const { baseline, counts, scoreDeltas, ...changes } = data.evalComparison;
  const runs = { runId: id, baselineId: baseline.id };
  const missing = finishedAt === null ? "Not run yet" : "Removed";
  const inCommon = counts.regressions + counts.improvements + counts.unchanged;
  return (
    <>
      <p>
        Compared with <Link href={`/evaluations/${baseline.uuid}`}>{baseline.name}</Link>, with{" "}
        {formatCount(inCommon, "item")} in common.
      </p>
      {inCommon === 0 ? (
        <p className="notice notice-warn">Nothing can be compared: no item has a result in both runs.</p>
      ) : (
        <ChangeList
          title="Regressions"
          total={counts.regressions}
          changes={changes.regressions}
          runs={runs}
          isOpenFirst
        />
      )}
      <ChangeList
        title="Improvements"
        total={counts.improvements}
        changes={changes.improvements}
        runs={runs}
      />
      <ChangeList title="Added" total={counts.added} changes={changes.added} runs={runs} />
      <ChangeList title={missing} total={counts.removed} changes={changes.removed} runs={runs} />
      <p className="small soft">{counts.unchanged.toLocaleString("en")} items unchanged.</p>
      {scoreDeltas.length > 0 && (
        <>
          <h3>Scores</h3>
          <Facts facts={scoreDeltas.map((delta) => [delta.name, formatChange(delta, missing)])} />
        </>
      )}
    </>
  );
}

function formatChange({ from, to, delta }: ScoreDelta, missing: string): string {
  if (from === null || to === null || delta === null) return from === null ? "new" : missing.toLowerCase();
  const sign = delta > 0 ? "+" : delta < 0 ? "−" : "±";
  return `${from.toFixed(3)} → ${to.toFixed(3)} (${sign}${Math.abs(delta).toFixed(3)})`;
}
