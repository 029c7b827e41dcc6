import type { ResultOf } from "gql.tada";
import { z } from "zod";
import { graphql } from "../../../src/schema/graphql.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { anyJson, dateTime, leaseToken, uuid } from "./shapes.ts";

export const TASK_STATUSES = [
  "submitted",
  "working",
  "input_required",
  "auth_required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;

/** The task and the lease of who works on it. */
export const heldTask = { task_id: uuid, lease_token: leaseToken };

export function toHeldTask(held: { task_id: string; lease_token: string }) {
  return { id: toGlobalId("Task", held.task_id.toLowerCase()), leaseToken: held.lease_token };
}

/** A task in lists: without what it is given and returns, which may be large. */
export const taskSummary = z.object({
  id: uuid,
  context_id: uuid.describe("The conversation that its messages are in."),
  title: z.string(),
  queue: z.string(),
  status: z.enum(TASK_STATUSES),
  status_message: z.string().nullable(),
  priority: z.int(),
  progress: z.number().nullable(),
  assignee_agent_id: uuid.nullable(),
  claimed_by_agent_id: uuid.nullable(),
  attempt: z.int(),
  max_attempts: z.int(),
  run_after: dateTime.nullable(),
  deadline_at: dateTime.nullable(),
  cancel_requested_at: dateTime.nullable(),
  approval_id: uuid.nullable().describe("What it waits for while it is auth_required."),
  labels: anyJson,
  created_at: dateTime,
  updated_at: dateTime,
  finished_at: dateTime.nullable(),
});

export const task = taskSummary.extend({
  input: z.array(anyJson).describe("What to work on: parts with text, data, url or raw."),
  output: anyJson,
  artifacts: anyJson,
  error: anyJson,
  metadata: anyJson,
});

export const TaskSummaryFields = graphql(`
  fragment TaskSummaryFields on Task {
    id: uuid
    context_id: contextId
    title
    queue
    status
    status_message: statusMessage
    priority
    progress
    assignee_agent_id: assigneeAgentUuid
    claimed_by_agent_id: claimedByAgentUuid
    attempt
    max_attempts: maxAttempts
    run_after: runAfter
    deadline_at: deadlineAt
    cancel_requested_at: cancelRequestedAt
    approval_id: approvalUuid
    labels
    created_at: createdAt
    updated_at: updatedAt
    finished_at: finishedAt
  }
`);

export const TaskFields = graphql(
  `
    fragment WholeTaskFields on Task {
      ...TaskSummaryFields
      input
      output
      artifacts
      error
      metadata
    }
  `,
  [TaskSummaryFields],
);

/** Spells a task as the tools do. */
export function taskJson<Row extends Pick<ResultOf<typeof TaskSummaryFields>, "status">>(row: Row) {
  // toLowerCase() is Lowercase<> for the ASCII names of GraphQL enums.
  return { ...row, status: row.status.toLowerCase() as Lowercase<Row["status"]> };
}
