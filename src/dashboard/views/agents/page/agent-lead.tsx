import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownAgent } from "./agent-query.ts";

/** How an agent stands, in one line below its name. */
export function AgentLead({
  agent: { uuid, kind, presence, controlState, lastSeenAt },
}: {
  agent: ShownAgent;
}) {
  return (
    <div className="in-line">
      <StatusChip status={presence} />
      <StatusChip status={controlState} />
      {lastSeenAt === null ? (
        <span>never seen</span>
      ) : (
        <span>
          seen <TimeAgo at={lastSeenAt} />
        </span>
      )}
      {kind === "ROBOT" && <Link href={`/robots/${uuid}`}>See the robot</Link>}
    </div>
  );
}
