import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import {
  anyJson,
  dateTime,
  handle,
  jsonObject,
  labels,
  newDateTime,
  nodeId,
  omitUndefined,
  part,
  text,
  toGraphqlNames,
  toWireEnum,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";

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
    decision_id: uuid.nullable().openapi({ description: "The decision that asked `approval_id`." }),
    approval_id: uuid.nullable().openapi({
      description:
        "The last question to people about a call for the task. While it is `auth_required`, one that it waits for.",
    }),
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

export const newTask = z
  .strictObject({
    title: text(LIMITS.titleLength),
    queue: handle.optional(),
    assignee_agent_id: uuid.nullish(),
    input: z.array(part).max(LIMITS.parts).optional(),
    priority: wholeNumber(LIMITS.priority).optional(),
    max_attempts: wholeNumber(LIMITS.maxAttempts).optional(),
    run_after: newDateTime.nullish(),
    deadline_at: newDateTime.nullish(),
    context_id: uuid.nullish(),
    parent_task_id: uuid.nullish(),
    labels: labels.optional(),
    metadata: jsonObject(LIMITS.metadataBytes).optional(),
  })
  .openapi("NewTask");

/** The body as GraphQL spells it. */
export function taskInput({ assignee_agent_id, parent_task_id, ...fields }: z.output<typeof newTask>) {
  return {
    ...toGraphqlNames(omitUndefined(fields)),
    assigneeAgentId: nodeId("Agent", assignee_agent_id),
    parentTaskId: nodeId("Task", parent_task_id),
  };
}

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
      decision_id: decisionUuid
      approval_id: approvalUuid
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
