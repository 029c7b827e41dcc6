import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatDuration } from "../../../ui/words.ts";
import type { ShownTask, TaskRetry } from "./task-query.ts";

type Fact = readonly [name: string, value: ReactNode];

/** A task's details. */
export function TaskFacts({ task, retries }: { task: ShownTask; retries: readonly TaskRetry[] }) {
  const facts: Fact[] = [
    ["Agent", <AgentLink key="agent" agent={task.claimedByAgent} />],
    ...createFact("Assigned to", task.assigneeAgent, <AgentLink agent={task.assigneeAgent} />),
    [
      "Queue",
      <Link key="queue" href={`/tasks?view=list&queue=${task.queue}`}>
        {task.queue}
      </Link>,
    ],
    ["Attempts", `${task.attempt} of ${task.maxAttempts}`],
    ["Priority", `${task.priority} of 9`],
    ["Created", <When key="created" at={task.createdAt} by={task.createdBy.name} />],
    ...createFact("Not before", task.runAfter, <TimeAgo at={task.runAfter} />),
    ["First claimed", <TimeAgo key="claimed" at={task.startedAt} />],
    ...createFact("Deadline", task.deadlineAt, <TimeAgo at={task.deadlineAt} />),
    ...createFact("Cancel requested", task.cancelRequestedAt, <TimeAgo at={task.cancelRequestedAt} />),
    ...createFact("Finished", task.finishedAt, <TimeAgo at={task.finishedAt} />),
    ...createFact("Duration", getSecondsTaken(task), formatDuration(getSecondsTaken(task) ?? 0)),
    ...createFact(
      "Mission",
      task.missionUuid,
      <Link href={`/missions/${task.missionUuid}`}>View mission</Link>,
    ),
    ...createFact(
      "Retry of",
      task.parentTaskUuid,
      <Link href={`/tasks/${task.parentTaskUuid}`}>View earlier task</Link>,
    ),
    ...createFact("Retried by", retries[0], <Retries retries={retries} />),
    ...createFact("Labels", listPairs(task.labels)[0], <Tags pairs={listPairs(task.labels)} />),
    ...createFact("Metadata", listPairs(task.metadata)[0], <Tags pairs={listPairs(task.metadata)} />),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

/** A detail, omitted if it has no value. */
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

/** From the first claim to the end. */
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
