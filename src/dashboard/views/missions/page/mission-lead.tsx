import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { hasMissionEnded } from "../mission-states.ts";
import type { ShownMission } from "./mission-query.ts";

/** How a mission stands, in one line below its title. */
export function MissionLead({ mission }: { mission: ShownMission }) {
  const { status, progress, title, cancelRequestedAt, deadlineAt } = mission;
  const hasEnded = hasMissionEnded(status);
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {!hasEnded && cancelRequestedAt !== null && <StatusChip status="IS_BEING_CANCELED" tone="warn" />}
      <Progress value={progress} of={title} />
      {!hasEnded && deadlineAt !== null && (
        <span>
          due <TimeAgo at={deadlineAt} />
        </span>
      )}
    </div>
  );
}
