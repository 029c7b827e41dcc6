import type { VariablesOf } from "gql.tada";
import { Link } from "wouter";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { ExecutionChip } from "./execution-chip.tsx";
import { EXECUTION_FRESHNESS, ExecutionsQuery } from "./execution-fields.ts";
import { ResolveButton } from "./resolve/resolve-button.tsx";

type Filter = NonNullable<VariablesOf<typeof ExecutionsQuery>["filter"]>;

/** What was done because of an approval or a decision. Nothing if there is none. */
export function RelatedExecutions({ filter }: { filter: Filter }) {
  const variables = { first: 20, after: null, last: null, before: null, filter };
  const { data } = useLiveQuery(ExecutionsQuery, variables, EXECUTION_FRESHNESS);
  const nodes = data?.executions.nodes ?? [];
  if (nodes.length === 0) return null;
  return (
    <section className="card stack-m" aria-labelledby="related-executions">
      <h2 id="related-executions">Executions</h2>
      <ul className="stack-s">
        {nodes.map((execution) => (
          <li key={execution.uuid} className="in-line">
            <ExecutionChip status={execution.status} />
            <Link href={`/executions/${execution.uuid}`}>
              started <TimeAgo at={execution.createdAt} />
            </Link>
            <ResolveButton execution={execution} isSmall />
          </li>
        ))}
      </ul>
    </section>
  );
}
