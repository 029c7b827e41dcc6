import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatCount, formatDuration, toWords } from "../../../ui/words.ts";
import { MissionRobot } from "./mission-robot.tsx";
import type { ShownMission } from "./mission-query.ts";

/** A mission's details. */
export function MissionFacts({ mission }: { mission: ShownMission }) {
  const { dispatch, estimatedDurationSeconds, minBatteryPercent } = mission;
  return (
    <section className="card" aria-label="Details">
      <Facts
        facts={[
          ["Robot", <MissionRobot key="robot" mission={mission} />],
          ["Kind", toWords(mission.kind)],
          ["Priority", String(mission.priority)],
          ["Created by", mission.createdBy.name],
          ["Created", <TimeAgo key="created" at={mission.createdAt} />],
          ["Assigned", <TimeAgo key="assigned" at={dispatch?.assignedAt ?? null} />],
          ["Started", <TimeAgo key="began" at={mission.startedAt} />],
          ["Finished", <TimeAgo key="ended" at={mission.finishedAt} />],
          [
            "Not accepted",
            dispatch === null || dispatch.attempts === 0 ? null : formatCount(dispatch.attempts, "time"),
          ],
          ["Estimated", estimatedDurationSeconds === null ? null : formatDuration(estimatedDurationSeconds)],
          ["Minimum battery", minBatteryPercent === null ? null : `${minBatteryPercent} %`],
          ...listLinks(mission),
        ]}
      />
    </section>
  );
}

/** What else there is about it. */
function listLinks({ approvalUuid, decisionUuid, taskUuid, dispatch }: ShownMission) {
  const command = dispatch?.startCommandUuid ?? null;
  return [
    ["Approval", <Linked key="approval" to="/approvals/" uuid={approvalUuid} label="View approval" />],
    ["Decision", <Linked key="decision" to="/decisions/" uuid={decisionUuid} label="View decision" />],
    ["Task", <Linked key="task" to="/tasks/" uuid={taskUuid} label="View task" />],
    ["Start command", <Linked key="command" to="/commands/" uuid={command} label="View command" />],
  ] as const;
}

function Linked({ to, uuid, label }: { to: string; uuid: string | null; label: string }) {
  return uuid === null ? "–" : <Link href={to + uuid}>{label}</Link>;
}
