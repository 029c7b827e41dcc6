import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatPercent } from "../../../ui/words.ts";
import type { ShownAgent } from "./agent-query.ts";

export type CurrentWorkProps = {
  tasks: ShownAgent["currentTasks"];
  missions: readonly { uuid: string; title: string; status: string }[];
};

/** The tasks an agent has claimed, and a robot's mission. */
export function CurrentWork({ tasks, missions }: CurrentWorkProps) {
  const isIdle = tasks.length === 0 && missions.length === 0;
  return (
    <section className="card stack-m" aria-labelledby="agent-work">
      <h2 id="agent-work">Current work</h2>
      {isIdle && <p className="soft">Nothing at the moment.</p>}
      {missions.map(({ uuid, title, status }) => (
        <p key={uuid} className="in-line">
          <StatusChip status={status} />
          <Link href={`/missions/${uuid}`}>{title}</Link>
          <span className="soft">mission</span>
        </p>
      ))}
      {tasks.map(({ uuid, title, status, startedAt, progress }) => (
        <p key={uuid} className="in-line">
          <StatusChip status={status} />
          <Link href={`/tasks/${uuid}`}>{title}</Link>
          <span className="soft">
            {progress !== null && <>{formatPercent(progress)}, </>}
            started <TimeAgo at={startedAt} />
          </span>
        </p>
      ))}
    </section>
  );
}
