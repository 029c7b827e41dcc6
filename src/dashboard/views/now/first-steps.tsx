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

/** How to begin, where nothing was ever asked of an agent; nothing where something was. */
export function FirstSteps() {
  const { data } = useLiveQuery(AnyWork, {}, { types: ["task.created", "mission.created"] });
  const mayCreate = useIsAtLeast("OPERATOR");
  const isEmpty = data?.tasks.totalCount === 0 && data.missions.totalCount === 0;
  if (!isEmpty) return null;
  return (
    <section className="card stack-m now-first" aria-labelledby="now-first">
      <h2 id="now-first">Nothing is at work yet</h2>
      {mayCreate ? (
        <Steps />
      ) : (
        <p>Tasks and missions appear here as soon as agents or operators create some.</p>
      )}
    </section>
  );
}

function Steps() {
  const mayMakeKeys = useIsAtLeast("ADMIN");
  return (
    <ol className="now-steps">
      <li>
        {mayMakeKeys ? <a href="/settings/api-keys">Make an API key</a> : "Ask an admin for an API key"}: with
        it an agent comes in, by a handle of its own.
      </li>
      <li>
        Let the agent claim tasks. <a href="/api/v1/docs">See how in the API’s documents</a>
      </li>
      <li>
        <Link href="/tasks/new">Create a task</Link> in a queue that it works.
      </li>
    </ol>
  );
}
