import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { ChangeList } from "./change-list.tsx";

const ComparisonQuery = graphql(`
  query EvalComparison($id: ID!) {
    evalComparison(runId: $id, first: 100) {
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

/** Differences from the baseline, regressions first. */
export function Comparison({ id }: { id: string }) {
  const { data, problem, refresh } = useLiveQuery(
    ComparisonQuery,
    { id },
    { types: ["eval_run.*"], apartMs: 2000 },
  );
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const { baseline, counts, scoreDeltas, ...changes } = data.evalComparison;
  return (
    <section className="card stack-m" aria-labelledby="run-comparison">
      <div className="row-between">
        <h2 id="run-comparison">Compared with the baseline</h2>
        <Link href={`/evaluations/${baseline.uuid}`}>{baseline.name}</Link>
      </div>
      <ChangeList title="Regressions" total={counts.regressions} changes={changes.regressions} isOpenFirst />
      <ChangeList title="Improvements" total={counts.improvements} changes={changes.improvements} />
      <ChangeList title="Added" total={counts.added} changes={changes.added} />
      <ChangeList title="Removed" total={counts.removed} changes={changes.removed} />
      <p className="small soft">{counts.unchanged.toLocaleString("en")} items unchanged.</p>
      {scoreDeltas.length > 0 && (
        <>
          <h3>Scores</h3>
          <Facts facts={scoreDeltas.map((delta) => [delta.name, formatChange(delta)])} />
        </>
      )}
    </section>
  );
}

function formatChange({ from, to, delta }: ScoreDelta): string {
  if (from === null || to === null || delta === null) return from === null ? "new" : "gone";
  const sign = delta > 0 ? "+" : delta < 0 ? "−" : "±";
  return `${from.toFixed(3)} → ${to.toFixed(3)} (${sign}${Math.abs(delta).toFixed(3)})`;
}
