import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatPercent } from "../../../ui/words.ts";
import type { ShownAgent } from "./agent-query.ts";

/** What an agent is at. */
export type CurrentWorkProps = {
  tasks: ShownAgent["currentTasks"];
  missions: readonly { uuid: string; title: string; status: string }[];
};

/** The tasks that an agent holds, and its mission where it is a robot. */
export function CurrentWork({ tasks, missions }: CurrentWorkProps) {
  const isIdle = tasks.length === 0 && missions.length === 0;
  return (
    <section className="card stack-m" aria-labelledby="agent-work">
      <h2 id="agent-work">Works on</h2>
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
            began <TimeAgo at={startedAt} />
          </span>
        </p>
      ))}
    </section>
  );
}
