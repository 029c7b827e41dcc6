import { Link } from "wouter";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { useViewer } from "../../data/viewer.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { formatCount, toWords } from "../../ui/words.ts";
import { describeScope } from "./describe-scope.ts";
import { ReleaseButton } from "./release-button.tsx";
import { ResumeButton } from "./resume-button.tsx";
import { type Stop, Stops } from "./stop-query.ts";
import { StopStages } from "./stop-stages.tsx";

/** Agents become unreachable without an event. */
const FRESHNESS = {
  types: ["stop.*", "agent_command.*", "agent.*"],
  everyMs: 5000,
  apartMs: 1000,
};

/** A banner for each stop: who started it, when and why, which agents haven't confirmed, and who was resumed. */
export function StopBanner() {
  return useViewer().hasStops ? <Banners /> : null;
}

function Banners() {
  const { data, problem, refresh } = useLiveQuery(Stops, {}, FRESHNESS);
  return (
    <>
      {data === null && (
        <section className="notice notice-bad note stop-banner" aria-label="Emergency stop">
          <p className="notice-title" role="status">
            Agents have been told to stop.
          </p>
          <ErrorNote problem={problem} onRetry={refresh} />
        </section>
      )}
      {data?.stops.map((stop) => (
        <Banner key={stop.uuid} stop={stop} />
      ))}
    </>
  );
}

function Banner({ stop }: { stop: Stop }) {
  const label = stop.scope === null ? "Emergency stop" : `Emergency stop of ${describeScope(stop.scope)}`;
  return (
    <section className="notice notice-bad note stop-banner" aria-label={label}>
      <div className="stop-text">
        <p className="notice-title" role="status">
          {`${label}: ${formatProgress(stop)}`}
        </p>
        <StopDetails stop={stop} />
        <StopStages stop={stop} />
      </div>
      <ResumeButton stopId={stop.id} />
      <ReleaseButton stopId={stop.id} />
    </section>
  );
}

function formatProgress({ agents: { total, confirmed, pending, unreachable } }: Stop): string {
  const outstanding = pending + unreachable;
  if (total === 0) return "it covers no agents";
  if (outstanding === 0) return `${formatCount(total, "agent")} confirmed, none outstanding`;
  return `${confirmed} of ${total} confirmed, ${outstanding} outstanding`;
}

function StopDetails({ stop }: { stop: Stop }) {
  const { uuid, at, by, reason, agents, outstanding, scope } = stop;
  const more = agents.pending + agents.unreachable - outstanding.length;
  return (
    <>
      <p>
        {by.name} stopped {scope === null ? "all agents" : "them"} <TimeAgo at={at} />: {reason}
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
      <p className="small">
        <Link href={`/commands/batches/${uuid}`}>See all stop commands</Link>
      </p>
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
