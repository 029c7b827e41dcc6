import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { useViewer } from "../../data/viewer.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { formatCount, toWords } from "../../ui/words.ts";
import { ReleaseButton } from "./release-button.tsx";

const StandingStop = graphql(`
  query StandingStop {
    workspace {
      id
      emergencyStop {
        uuid
        at
        by {
          name
        }
        reason
        agents {
          total
          confirmed
          pending
          unreachable
        }
        outstanding(first: 8) {
          agent {
            id
            uuid
            name
          }
          state
          lastSeenAt
        }
      }
    }
  }
`);

type Stop = NonNullable<ResultOf<typeof StandingStop>["workspace"]["emergencyStop"]>;

/** Agents become unreachable without an event. */
const FRESHNESS = {
  types: ["workspace.*", "agent_command.*", "agent.*"],
  everyMs: 5000,
  apartMs: 1000,
};

/** The banner during an emergency stop: who started it, when and why, and which agents haven't confirmed. */
export function StopBanner() {
  return useViewer().emergencyStop === null ? null : <Banner />;
}

function Banner() {
  const { data, problem, refresh } = useLiveQuery(StandingStop, {}, FRESHNESS);
  const stop = data?.workspace.emergencyStop ?? null;
  return (
    <section className="notice notice-bad note stop-banner" aria-label="Emergency stop">
      <div className="stop-text">
        <p className="notice-title" role="status">
          {stop === null ? "All agents have been told to stop." : formatTitle(stop)}
        </p>
        {stop !== null && <StopDetails stop={stop} />}
        <ErrorNote problem={problem} onRetry={refresh} />
      </div>
      <ReleaseButton />
    </section>
  );
}

function formatTitle({ agents: { total, confirmed, pending, unreachable } }: Stop): string {
  const outstanding = pending + unreachable;
  if (outstanding === 0) return `Emergency stop: ${formatCount(total, "agent")} confirmed, none outstanding`;
  return `Emergency stop: ${confirmed} of ${total} confirmed, ${outstanding} outstanding`;
}

function StopDetails({ stop }: { stop: Stop }) {
  const { uuid, at, by, reason, agents, outstanding } = stop;
  const more = agents.pending + agents.unreachable - outstanding.length;
  return (
    <>
      <p>
        {by.name} stopped all agents <TimeAgo at={at} />: {reason}
      </p>
      {outstanding.length > 0 && (
        <ul className="stop-outstanding" aria-label="Not confirmed">
          {outstanding.map((one) => (
            <li key={one.agent?.id}>
              <Outstanding {...one} />
            </li>
          ))}
          {more > 0 && <li>{`and ${more.toLocaleString("en")} more`}</li>}
        </ul>
      )}
      {uuid !== null && (
        <p className="small">
          <Link href={`/commands/batches/${uuid}`}>See all stop commands</Link>
        </p>
      )}
    </>
  );
}

function Outstanding({ agent, state, lastSeenAt }: Stop["outstanding"][number]) {
  return (
    <>
      <Link href={`/agents/${agent?.uuid ?? ""}`}>{agent?.name ?? "An agent"}</Link>{" "}
      <span className="small">
        {toWords(state)}, {lastSeenAt === null ? "never seen" : <Seen at={lastSeenAt} />}
      </span>
    </>
  );
}

function Seen({ at }: { at: string }) {
  return (
    <>
      seen <TimeAgo at={at} />
    </>
  );
}
