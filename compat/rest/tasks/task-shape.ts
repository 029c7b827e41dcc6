import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, part, uuid } from "../shared/shapes.ts";

export const TASK_STATUSES = [
  "submitted",
  "working",
  "input_required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;

/** A task in the REST API. */
export const task = z
  .strictObject({
    id: uuid,
    context_id: uuid,
    title: z.string(),
    queue: z.string(),
    assignee_agent_id: uuid.nullable(),
    input: z.array(part),
    status: z.enum(TASK_STATUSES),
    status_message: z.string().nullable(),
    priority: z.int(),
    progress: z.number().nullable(),
    output: anyJson,
    artifacts: anyJson,
    error: anyJson,
    claimed_by_agent_id: uuid.nullable(),
    attempt: z.int(),
    max_attempts: z.int(),
    run_after: dateTime.nullable(),
    deadline_at: dateTime.nullable(),
    cancel_requested_at: dateTime.nullable(),
    parent_task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    trace_id: z.string().nullable(),
    labels: anyJson,
    metadata: anyJson,
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    finished_at: dateTime.nullable(),
  })
  .openapi("Task");

export const TaskFields = graphql(
  `
    fragment TaskFields on Task {
      id: uuid
      context_id: contextId
      title
      queue
      assignee_agent_id: assigneeAgentUuid
      input
      status
      status_message: statusMessage
      priority
      progress
      output
      artifacts
      error
      claimed_by_agent_id: claimedByAgentUuid
      attempt
      max_attempts: maxAttempts
      run_after: runAfter
      deadline_at: deadlineAt
      cancel_requested_at: cancelRequestedAt
      parent_task_id: parentTaskUuid
      mission_id: missionUuid
      trace_id: traceId
      labels
      metadata
      created_by: createdBy {
        ...ActorFields
      }
      generation
      created_at: createdAt
      updated_at: updatedAt
      finished_at: finishedAt
    }
  `,
  [ActorFields],
);

/** Converts a task to the REST shape. */
export function taskJson(row: ResultOf<typeof TaskFields>) {
  const { created_by: by, status } = row;
  return { ...row, status: toWireEnum(status), created_by: actorJson(by) };
}
