import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import type { Series } from "../../../ui/chart/chart-props.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { parseScoreMeans } from "./parse-score-means.ts";

const SuiteScores = graphql(`
  query SuiteScores($suite: String!) {
    evalRuns(first: 50, filter: { suite: $suite, status: COMPLETED }) {
      nodes {
        id
        createdAt
        scoreSummaries
      }
    }
  }
`);

type ScoredRun = ResultOf<typeof SuiteScores>["evalRuns"]["nodes"][number];

const COLORS = ["accent", "good", "warn", "danger", "ink-soft"] as const;

/** The mean of each score in the latest runs of a suite. Nothing if none has scores. */
export function ScoreChart({ suite }: { suite: string }) {
  const { data, problem, refresh } = useLiveQuery(
    SuiteScores,
    { suite },
    { types: ["eval_run.*"], apartMs: 5000 },
  );
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const runs = data.evalRuns.nodes.toReversed();
  const series = toSeries(runs);
  if (series.length === 0) return null;
  return (
    <Chart
      title={`Mean scores of the suite’s latest ${runs.length} runs`}
      times={runs.map(({ createdAt }) => Date.parse(createdAt) / 1000)}
      series={series}
    />
  );
}

/** The first five scores by name, of runs in the order of their times. */
function toSeries(runs: readonly ScoredRun[]): Series[] {
  const means = runs.map(({ scoreSummaries }) => parseScoreMeans(scoreSummaries));
  const names = [...new Set(means.flatMap((scores) => [...scores.keys()]))].toSorted();
  return COLORS.flatMap((color, place) => {
    const label = names[place];
    return label === undefined
      ? []
      : [{ label, color, values: means.map((scores) => scores.get(label) ?? null) }];
  });
}
