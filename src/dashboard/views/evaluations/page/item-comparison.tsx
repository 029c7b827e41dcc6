import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { WordDiff } from "../../../ui/word-diff.tsx";
import { TitledJson } from "./titled-json.tsx";
import { toText } from "./to-text.ts";

const ItemFields = graphql(`
  fragment ItemFields on EvalRun {
    id
    results(first: 1, filter: { itemKey: $itemKey }) {
      nodes {
        uuid
        expected
        output
        error
      }
    }
  }
`);

const ItemQuery = graphql(
  `
    query EvalItem($runId: ID!, $baselineId: ID!, $itemKey: String!) {
      before: evalRun(id: $baselineId) {
        ...ItemFields
      }
      after: evalRun(id: $runId) {
        ...ItemFields
      }
    }
  `,
  [ItemFields],
);

/** The runs that are compared, and the item. */
export type ComparedItem = { runId: string; baselineId: string; itemKey: string };

/** What an item should have given, and what it gave in both runs, word by word. */
export function ItemComparison(item: ComparedItem) {
  const { data, problem, isLoading } = useSearch(ItemQuery, { ...item });
  const [before, after] = [getResult(data?.before), getResult(data?.after)];
  const expected = after?.expected ?? before?.expected ?? null;
  return (
    <div className="stack-m">
      <ErrorNote problem={problem} />
      <Busy isBusy={isLoading} lines={data === null ? 4 : 0} />
      {expected !== null && <TitledJson title="Expected" of={item.itemKey} value={expected} />}
      {data !== null && (
        <div className="evaluations-json stack-s">
          <h3>Output, before and after</h3>
          <WordDiff
            label={`Changes of ${item.itemKey}`}
            before={describeOutput(before)}
            after={describeOutput(after)}
          />
        </div>
      )}
    </div>
  );
}

type Result = ResultOf<typeof ItemFields>["results"]["nodes"][number];

function getResult(run: ResultOf<typeof ItemFields> | undefined): Result | null {
  return run?.results.nodes[0] ?? null;
}

function describeOutput(result: Result | null): string {
  if (result === null) return "";
  return result.error === null ? toText(result.output) : `Error: ${result.error}`;
}
