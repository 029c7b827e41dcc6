import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import type { Limit } from "../../ui/chart/chart-props.ts";
import { formatValue } from "./words/format-value.ts";

/** A workspace has at most 100 rules. */
const ChartRulesQuery = graphql(`
  query ChartRules {
    alertRules(first: 100, filter: { enabled: true }) {
      nodes {
        id
        name
        metric
        agentUuid
        label
        queue
        windowSeconds
        threshold
        state
      }
    }
  }
`);

export type ChartRule = ResultOf<typeof ChartRulesQuery>["alertRules"]["nodes"][number];

const FRESHNESS = { types: ["alert_rule.*", "alert.*"], apartMs: 2000 };

/** The rules that watch all of the workspace, as its charts do. */
export function useChartRules(): readonly ChartRule[] {
  const { data } = useLiveQuery(ChartRulesQuery, {}, FRESHNESS);
  return (data?.alertRules.nodes ?? []).filter(
    ({ agentUuid, label, queue }) => agentUuid === null && label === null && queue === null,
  );
}

/** A rule's threshold as a line of a chart, which says whether the rule fires. */
export function toLimit({ name, metric, threshold, state }: ChartRule): Limit {
  const isPassed = state === "FIRING";
  const label = `${name}: above ${formatValue(metric, threshold)}${isPassed ? ", firing" : ""}`;
  return { label, value: threshold, isPassed };
}
