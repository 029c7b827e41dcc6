import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatDuration } from "../../../ui/words.ts";
import type { ShownTask, TaskRetry } from "./task-query.ts";

type Fact = readonly [name: string, value: ReactNode];

/** What is known of a task beside what was said and made. */
export function TaskFacts({ task, retries }: { task: ShownTask; retries: readonly TaskRetry[] }) {
  const facts: Fact[] = [
    ["Agent", <AgentLink key="agent" agent={task.claimedByAgent} />],
    ...createFact("Only for", task.assigneeAgent, <AgentLink agent={task.assigneeAgent} />),
    [
      "Queue",
      <Link key="queue" href={`/tasks?view=list&queue=${task.queue}`}>
        {task.queue}
      </Link>,
    ],
    ["Attempt", `${task.attempt} of at most ${task.maxAttempts}`],
    ["Priority", `${task.priority} of 9`],
    ["Created", <When key="created" at={task.createdAt} by={task.createdBy.name} />],
    ...createFact("Not before", task.runAfter, <TimeAgo at={task.runAfter} />),
    ["First claimed", <TimeAgo key="claimed" at={task.startedAt} />],
    ...createFact("Deadline", task.deadlineAt, <TimeAgo at={task.deadlineAt} />),
    ...createFact("Cancel asked for", task.cancelRequestedAt, <TimeAgo at={task.cancelRequestedAt} />),
    ...createFact("Ended", task.finishedAt, <TimeAgo at={task.finishedAt} />),
    ...createFact("Took", getSecondsTaken(task), formatDuration(getSecondsTaken(task) ?? 0)),
    ...createFact(
      "Mission",
      task.missionUuid,
      <Link href={`/missions/${task.missionUuid}`}>Its mission</Link>,
    ),
    ...createFact(
      "Tries again",
      task.parentTaskUuid,
      <Link href={`/tasks/${task.parentTaskUuid}`}>An earlier task</Link>,
    ),
    ...createFact("Tried again by", retries[0], <Retries retries={retries} />),
    ...createFact("Labels", listPairs(task.labels)[0], <Tags pairs={listPairs(task.labels)} />),
    ...createFact("Metadata", listPairs(task.metadata)[0], <Tags pairs={listPairs(task.metadata)} />),
  ];
  return (
    <section className="card" aria-label="Facts">
      <Facts facts={facts} />
    </section>
  );
}

/** A fact that is there only where it has a value. */
function createFact(name: string, value: unknown, shown: ReactNode): Fact[] {
  return value === null || value === undefined ? [] : [[name, shown]];
}

function AgentLink({ agent }: { agent: ShownTask["claimedByAgent"] }) {
  if (agent === null) return <span className="soft">None yet</span>;
  return <Link href={`/agents/${agent.uuid}`}>{agent.name}</Link>;
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <>
      <TimeAgo at={at} /> by {by}
    </>
  );
}

function Retries({ retries }: { retries: readonly TaskRetry[] }) {
  return (
    <ul className="stack-s">
      {retries.map(({ uuid, title, status }) => (
        <li key={uuid}>
          <Link href={`/tasks/${uuid}`}>{title}</Link> <StatusChip status={status} />
        </li>
      ))}
    </ul>
  );
}

function Tags({ pairs }: { pairs: readonly string[] }) {
  return (
    <ul className="tags">
      {pairs.map((pair) => (
        <li key={pair} className="tag">
          {pair}
        </li>
      ))}
    </ul>
  );
}

/** From the first claim until the end. */
function getSecondsTaken({ startedAt, finishedAt }: ShownTask): number | null {
  if (startedAt === null || finishedAt === null) return null;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

function listPairs(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(
    ([name, held]) => `${name}: ${typeof held === "string" ? held : JSON.stringify(held)}`,
  );
}
