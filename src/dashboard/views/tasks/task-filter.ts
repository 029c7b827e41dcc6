import { toGlobalId, isUuid } from "../../data/global-id.ts";
import { toLabelFilter } from "../../data/parse-labels.ts";

/** Task statuses. Those that may need attention come first. */
export const TASK_STATUSES = [
  "INPUT_REQUIRED",
  "AUTH_REQUIRED",
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "REJECTED",
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Filters in the URL, with their defaults. */
export const TASKS_STATE = {
  ...{ view: "", status: "", queue: "", assignee: "", agent: "", q: "", sort: "" },
  ...{ labels: "", since: "", until: "" },
};

type Narrowing = Readonly<
  Record<"queue" | "assignee" | "agent" | "q" | "labels" | "since" | "until", string>
>;

/** Converts the URL's filters, except the status, to the GraphQL filter. */
export function toTaskFilter({ queue, assignee, agent, q, labels, since, until }: Narrowing) {
  return {
    queue: queue === "" ? null : queue,
    assigneeAgentId: toAgentId(assignee),
    claimedByAgentId: toAgentId(agent),
    search: q.trim() === "" ? null : q.trim(),
    labels: toLabelFilter(labels),
    createdFrom: toTime(since),
    createdTo: toTime(until),
  };
}

/** The status in the URL, or null if there is no such status. */
export function findTaskStatus(name: string): TaskStatus | null {
  return TASK_STATUSES.find((status) => status === name) ?? null;
}

const OPEN: ReadonlySet<TaskStatus> = new Set(["INPUT_REQUIRED", "AUTH_REQUIRED", "SUBMITTED", "WORKING"]);

/** Whether a task is in a final status. */
export function hasTaskEnded(status: TaskStatus): boolean {
  return !OPEN.has(status);
}

/** A local time as typed, in UTC. Null if there is none. */
function toTime(typed: string): string | null {
  const time = Date.parse(typed);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function toAgentId(uuid: string): string | null {
  return isUuid(uuid) ? toGlobalId("Agent", uuid) : null;
}
