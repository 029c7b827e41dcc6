import { Link } from "wouter";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";

const AnyWork = graphql(`
  query AnyWork {
    tasks(first: 0) {
      totalCount
    }
    missions(first: 0) {
      totalCount
    }
  }
`);

/** Getting started, shown until there is any work. */
export function FirstSteps() {
  const { data } = useLiveQuery(AnyWork, {}, { types: ["task.created", "mission.created"] });
  const mayCreate = useIsAtLeast("OPERATOR");
  const isEmpty = data?.tasks.totalCount === 0 && data.missions.totalCount === 0;
  if (!isEmpty) return null;
  return (
    <section className="card stack-m now-first" aria-labelledby="now-first">
      <h2 id="now-first">Get started</h2>
      {mayCreate ? <Steps /> : <p>Tasks and missions appear here when agents or operators create them.</p>}
    </section>
  );
}

function Steps() {
  const mayMakeKeys = useIsAtLeast("ADMIN");
  return (
    <ol className="now-steps">
      <li>
        {mayMakeKeys ? (
          <>
            <Link href="/connect">Connect an agent</Link>, with an API key of its own.
          </>
        ) : (
          "Ask an admin for an API key, which your agent uses to connect."
        )}
      </li>
      <li>
        Let the agent claim tasks. <a href="/api/v1/docs">See the API documentation</a>
      </li>
      <li>
        <Link href="/tasks/new">Create a task</Link> in one of its queues.
      </li>
    </ol>
  );
}
