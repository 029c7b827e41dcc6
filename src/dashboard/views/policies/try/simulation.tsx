import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useAsk } from "../../../data/use-ask.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import type { PolicyChanges } from "./policy-changes.ts";

const SimulatePolicies = graphql(`
  query SimulatePolicies($changes: PolicyChangesInput!, $from: DateTime!, $to: DateTime!) {
    simulatePolicies(changes: $changes, from: $from, to: $to) {
      considered
      isComplete
      unchanged
      unknown
      changes {
        before
        after
        count
        groups {
          action
          resourceId
          count
          decisionUuid
        }
      }
    }
  }
`);

type Simulated = ResultOf<typeof SimulatePolicies>["simulatePolicies"];

const DAYS = 7;
const DAY_MS = 86_400_000;

/** What changes would have made of the decisions of the last days, when asked. */
export function Simulation({ changes }: { changes: PolicyChanges }) {
  const { ask, answer, isBusy, problem } = useAsk(SimulatePolicies);
  const isOutdated = answer !== null && JSON.stringify(answer.variables.changes) !== JSON.stringify(changes);

  async function simulate(): Promise<void> {
    const to = Date.now();
    const [since, until] = [new Date(to - DAYS * DAY_MS), new Date(to)];
    await ask({ changes, from: since.toISOString(), to: until.toISOString() });
  }

  return (
    <section className="card stack-m policies-form" aria-labelledby="policy-simulation">
      <h2 id="policy-simulation">The last {DAYS} days</h2>
      <p className="small soft">
        What it would have made of requests that were decided, for agents as they are now.
      </p>
      <ErrorNote problem={problem} />
      <Busy isBusy={isBusy} label="Deciding them again…" />
      <div role="status">
        {answer !== null && !isOutdated && <Result simulated={answer.data.simulatePolicies} />}
      </div>
      <div>
        <button type="button" className="button" aria-disabled={isBusy} onClick={() => void simulate()}>
          {answer === null ? "Simulate" : "Simulate again"}
        </button>
      </div>
    </section>
  );
}

function Result({ simulated }: { simulated: Simulated }) {
  const { considered, isComplete, unchanged, unknown, changes } = simulated;
  if (considered === 0) return <p>Nothing was decided then.</p>;
  const parts = [
    `${unchanged.toLocaleString("en")} unchanged`,
    ...changes.map(
      ({ count, before, after }) => `${count.toLocaleString("en")} ${WOULD[after]} that ${WERE[before]}`,
    ),
    ...(unknown === 0 ? [] : [`${unknown.toLocaleString("en")} depend on what was not kept`]),
  ];
  return (
    <div className="stack-m">
      <p>
        <strong>{parts.join(", ")}.</strong>
      </p>
      {!isComplete && (
        <p className="small soft">
          These are the newest {formatCount(considered, "decision")}; there are more.
        </p>
      )}
      {changes.map((change) => (
        <Samples key={`${change.before} ${change.after}`} change={change} />
      ))}
    </div>
  );
}

const WOULD = { ALLOW: "would be allowed", DENY: "would be denied", ASK: "would be asked about" } as const;
const WERE = { ALLOW: "were allowed", DENY: "were denied", ASK: "were asked about" } as const;

function Samples({ change: { before, after, groups } }: { change: Simulated["changes"][number] }) {
  return (
    <div className="stack-s">
      <h3>
        {WOULD[after]}, {WERE[before]}
      </h3>
      <ul className="stack-s">
        {groups.map(({ decisionUuid, action, resourceId, count }) => (
          <li key={decisionUuid} className="in-line">
            <Link href={`/decisions/${decisionUuid}`}>{toVisibleText(resourceId)}</Link>
            <span className="small soft">{toVisibleText(action)}</span>
            <span className="small soft">{formatCount(count, "time")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
