import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Pager } from "../../../ui/table/pager.tsx";
import { ResultItem } from "./result-item.tsx";

const ResultsQuery = graphql(
  `
    query EvalResults(
      $id: ID!
      $first: Int
      $after: String
      $last: Int
      $before: String
      $filter: EvalResultFilter
    ) {
      evalRun(id: $id) {
        id
        results(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
          totalCount
          nodes {
            uuid
            itemKey
            status
            input
            expected
            output
            scores
            error
            latencyMs
            costUsd
            traceId
          }
          pageInfo {
            ...PageFields
          }
        }
      }
    }
  `,
  [PageFields],
);

const RESULT_STATUSES = ["FAILED", "ERRORED", "PASSED", "SKIPPED"] as const;

/** The results of a run, with expected and actual output side by side. */
export function ResultList({ id }: { id: string }) {
  const { values, bind } = useUrlState({ result: "" });
  const status = RESULT_STATUSES.find((one) => one === values.result) ?? null;
  const { data, problem, refresh } = useLiveQuery(
    ResultsQuery,
    { id, ...usePaging(50), filter: { status } },
    { types: ["eval_run.*"], apartMs: 2000 },
  );
  const results = data?.evalRun.results ?? null;
  return (
    <section className="card stack-m" aria-labelledby="run-results">
      <h2 id="run-results">Results</h2>
      <Filters>
        <SelectField label="Status" options={toOptions(RESULT_STATUSES)} {...bind("result")} />
      </Filters>
      <ErrorNote problem={problem} onRetry={refresh} />
      {results?.nodes.length === 0 && (
        <Empty title={status === null ? "No results yet" : "No result matches"} />
      )}
      <ul className="evaluations-results">
        {results?.nodes.map((result) => (
          <li key={result.uuid}>
            <ResultItem result={result} />
          </li>
        ))}
      </ul>
      {results !== null && <Pager page={results} one="result" many="results" />}
    </section>
  );
}
