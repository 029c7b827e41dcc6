import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

export const EXECUTION_STATUSES = [
  ...["started", "completed", "failed", "unknown", "unreported", "retried"],
] as const;

export const EXECUTION_EFFECTS = ["none", "partial", "unknown"] as const;

/** An execution in a list. */
export const execution = z
  .strictObject({
    id: uuid.openapi({ description: "The key for the effect: the same as long as it is the same one." }),
    fence: z.int().openapi({
      description:
        "Larger in each execution: whoever performs the effect can reject a smaller one. Sent with each report.",
    }),
    status: z.enum(EXECUTION_STATUSES).openapi({
      description:
        "`unknown`: the lease ended without a report, or the agent doesn't know. `retried`: a person had it done again.",
    }),
    approval_id: uuid.nullable().openapi({ description: "Null if policies allowed it without a person." }),
    use_number: z.int().nullable().openapi({ description: "Which use of the approval, from 1." }),
    decision_id: uuid,
    agent_id: uuid,
    action: z.string(),
    resource: z.strictObject({ type: z.string(), id: z.string() }),
    request_hash: z.string(),
    result: anyJson,
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    effect: z.enum(EXECUTION_EFFECTS).nullable(),
    ended_at: dateTime.nullable(),
    resolved_by: z
      .union([actor, z.null()])
      .openapi({ description: "The person who said how it ended, or had it done again." }),
    resolved_reason: z.string().nullable(),
    retry_of: uuid
      .nullable()
      .openapi({ description: "The execution that a person had done again by this one." }),
    task_id: uuid.nullable(),
    trace_id: z.string().nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Execution");

/** An execution with its lease. */
export const wholeExecution = z
  .strictObject({
    ...execution.shape,
    lease_expires_at: dateTime.openapi({
      description: "Until when the agent must report or send a heartbeat.",
    }),
    arguments: anyJson.openapi({
      description:
        "The arguments that an approver put in place of those that were asked for: execute these. Null if none did.",
    }),
  })
  .openapi("WholeExecution");

export const ExecutionFields = graphql(
  `
    fragment ExecutionFields on Execution {
      id: uuid
      fence
      status
      approval_id: approvalUuid
      use_number: useNumber
      decision_id: decisionUuid
      agent_id: agentUuid
      action
      resourceType
      resourceId
      request_hash: requestHash
      result
      error
      effect
      ended_at: endedAt
      resolvedBy {
        ...ActorFields
      }
      resolved_reason: resolvedReason
      retry_of: retryOfUuid
      task_id: taskUuid
      trace_id: traceId
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

export const WholeExecutionFields = graphql(
  `
    fragment WholeExecutionFields on Execution {
      ...ExecutionFields
      lease_expires_at: leaseExpiresAt
      arguments
    }
  `,
  [ExecutionFields],
);

/** Converts an execution to the REST shape. */
export function executionJson(found: ResultOf<typeof ExecutionFields>) {
  const { status, effect, resolvedBy, resourceType: type, resourceId: id, ...rest } = found;
  return {
    ...rest,
    status: toWireEnum(status),
    resource: { type, id },
    effect: effect === null ? null : toWireEnum(effect),
    resolved_by: resolvedBy === null ? null : actorJson(resolvedBy),
  };
}

/** {@link executionJson} with its lease. */
export function wholeExecutionJson(found: ResultOf<typeof WholeExecutionFields>) {
  return executionJson(found);
}
