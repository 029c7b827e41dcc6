import { graphql } from "../../../data/graphql.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatPassRate, parseResultCounts } from "../result-counts.ts";
import { VerdictChip } from "../verdict-chip.tsx";
import { PassRateChart } from "./pass-rate-chart.tsx";
import { ScoreChart } from "./score-chart.tsx";
import { RUNS_STATE, toRunFilter, RUN_STATUSES } from "./run-filter.ts";
import type { ResultOf } from "gql.tada";
import { Link } from "wouter";

const RunListQuery = graphql(
  `
    query EvalRunList($first: Int, $after: String, $last: Int, $before: String, $filter: EvalRunFilter) {
      evalRuns(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          id
          uuid
          suite
          name
          status
          verdict
          baseline
          resultCounts
          agentUuid
          agentVersion
          agent {
            id
            name
          }
          createdAt
          finishedAt
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

type ListedRun = ResultOf<typeof RunListQuery>["evalRuns"]["nodes"][number];

const COLUMNS: readonly Column<ListedRun>[] = [
  { header: "Run", cell: ({ name }) => name },
  { header: "Verdict", cell: Verdict },
  { header: "Suite", cell: SuiteLink },
  { header: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { header: "Passed", cell: ({ resultCounts }) => formatPassRate(parseResultCounts(resultCounts)) },
  { header: "Agent", cell: AgentLink },
  { header: "Created", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
];

/** The list of runs, newest first, below charts of pass rates and of a suite's scores. */
export function RunList() {
  const { values } = useUrlState(RUNS_STATE);
  const filter = toRunFilter(values);
  const query = useLiveQuery(RunListQuery, { ...usePaging(), filter }, { types: ["eval_run.*"] });
  const suites = [...new Set(query.data?.evalRuns.nodes.map(({ suite }) => suite))].toSorted();
  return (
    <Page title="Evaluations">
      <RunFilters suites={suites} />
      <PassRateChart suite={values.suite} />
      {values.suite !== "" && <ScoreChart key={values.suite} suite={values.suite} />}
      <DataTable
        one="run"
        many="runs"
        columns={COLUMNS}
        query={query}
        page={query.data?.evalRuns ?? null}
        source={{ query: RunListQuery, variables: { filter }, pick: ({ evalRuns }) => evalRuns }}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/evaluations/${uuid}`}
        allAt={isNarrowed(filter) ? "/evaluations" : null}
        empty={
          <Empty title="No evaluation runs yet">
            Report one from your pipeline with <code>agent-ops eval</code> or POST /api/v1/eval_runs.
          </Empty>
        }
      />
    </Page>
  );
}

/** To the suite's runs and trends. */
function SuiteLink({ suite }: ListedRun) {
  return (
    <Link href={`/evaluations?suite=${encodeURIComponent(suite)}`} className="tag">
      {suite}
    </Link>
  );
}

function Verdict({ verdict, baseline }: ListedRun) {
  return (
    <span className="in-line">
      <VerdictChip verdict={verdict} />
      {baseline && <StatusChip status="BASELINE" tone="busy" />}
    </span>
  );
}

function AgentLink({ agentUuid, agent, agentVersion }: ListedRun) {
  if (agentUuid === null) return <span className="soft">{agentVersion ?? "–"}</span>;
  return (
    <span>
      <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>{" "}
      <span className="soft">{agentVersion}</span>
    </span>
  );
}

function RunFilters({ suites }: { suites: readonly string[] }) {
  const { values, bind } = useUrlState(RUNS_STATE);
  return (
    <Filters>
      <SuggestField key={values.suite} label="Suite" known={suites} {...bind("suite")} />
      <SelectField label="Status" options={toOptions(RUN_STATUSES)} {...bind("status")} />
    </Filters>
  );
}
