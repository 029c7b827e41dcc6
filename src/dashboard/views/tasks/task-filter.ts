import { toGlobalId, isUuid } from "../../data/global-id.ts";

/** The statuses of tasks, those first that a person may have to do with. */
export const TASK_STATUSES = [
  "INPUT_REQUIRED",
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "REJECTED",
] as const;

/** How a task stands. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What the address keeps of the tasks' page. */
export const TASKS_STATE = { view: "", status: "", queue: "", assignee: "", agent: "", q: "", sort: "" };

type Narrowing = Readonly<Record<"queue" | "assignee" | "agent" | "q", string>>;

/** The filter that the address asks for, but for the status. */
export function toTaskFilter({ queue, assignee, agent, q }: Narrowing) {
  return {
    queue: queue === "" ? null : queue,
    assigneeAgentId: toAgentId(assignee),
    claimedByAgentId: toAgentId(agent),
    search: q.trim() === "" ? null : q.trim(),
  };
}

/** The status that an address names; null for none that there is. */
export function findTaskStatus(name: string): TaskStatus | null {
  return TASK_STATUSES.find((status) => status === name) ?? null;
}

/** Whether nothing more can become of a task. */
export function hasTaskEnded(status: TaskStatus): boolean {
  return status !== "SUBMITTED" && status !== "WORKING" && status !== "INPUT_REQUIRED";
}

function toAgentId(uuid: string): string | null {
  return isUuid(uuid) ? toGlobalId("Agent", uuid) : null;
}
