import { Link } from "wouter";
import { ControlChips } from "../../../app/emergency-stop/control-chips.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import type { ShownAgent } from "./agent-query.ts";

/** An agent's state in one line. */
export function AgentLead({
  agent: { uuid, kind, presence, controlState, ownControlState, stopState, lastSeenAt },
}: {
  agent: ShownAgent;
}) {
  return (
    <div className="in-line">
      <StatusChip status={presence} />
      <ControlChips controlState={controlState} stopState={stopState} />
      {ownControlState !== controlState && ownControlState !== "ACTIVE" && (
        <span>{`${toWords(ownControlState)} when the emergency stop is released`}</span>
      )}
      {lastSeenAt === null ? (
        <span>never seen</span>
      ) : (
        <span>
          seen <TimeAgo at={lastSeenAt} />
        </span>
      )}
      {kind === "ROBOT" && <Link href={`/robots/${uuid}`}>View robot</Link>}
    </div>
  );
}
