import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, traceparent, uuid } from "../shared/shapes.ts";

export const COMMAND_STATUSES = [
  "awaiting_approval",
  "queued",
  "delivered",
  "acknowledged",
  "running",
  "succeeded",
  "failed",
  "rejected",
  "timed_out",
  "expired",
  "canceled",
] as const;

export const COMMAND_PRIORITIES = ["normal", "urgent"] as const;

/** A command in the REST API. */
export const agentCommand = z
  .strictObject({
    id: uuid,
    agent_id: uuid,
    seq: z.int().openapi({
      description:
        "Number of the command for this agent: 1, 2, 3, … One that is approved gets the next number then.",
    }),
    type: z.string(),
    params: anyJson,
    status: z.enum(COMMAND_STATUSES),
    priority: z.enum(COMMAND_PRIORITIES),
    not_before: dateTime.nullable(),
    expires_at: dateTime,
    ack_timeout_s: z.int(),
    run_timeout_s: z.int(),
    delivery_attempts: z.int(),
    delivered_at: dateTime.nullable(),
    acknowledged_at: dateTime.nullable(),
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
    progress: z.number().nullable(),
    status_detail: z.string().nullable(),
    result: anyJson,
    error: anyJson,
    late: z.boolean().openapi({ description: "Whether the result arrived after the timeout." }),
    issued_by: actor,
    batch_id: uuid.nullable(),
    task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    decision_id: uuid.nullable().openapi({
      description: "What policies decided. Null if none is for such a command.",
    }),
    approval_id: uuid.nullable().openapi({
      description: "The question to people, if policies asked them.",
    }),
    traceparent,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("AgentCommand");

export const AgentCommandFields = graphql(
  `
    fragment AgentCommandFields on AgentCommand {
      id: uuid
      agent_id: agentUuid
      seq
      type
      params
      status
      priority
      not_before: notBefore
      expires_at: expiresAt
      ack_timeout_s: ackTimeoutSeconds
      run_timeout_s: runTimeoutSeconds
      delivery_attempts: deliveryAttempts
      delivered_at: deliveredAt
      acknowledged_at: acknowledgedAt
      started_at: startedAt
      finished_at: finishedAt
      progress
      status_detail: statusDetail
      result
      error
      late
      issued_by: issuedBy {
        ...ActorFields
      }
      batch_id: batchId
      task_id: taskUuid
      mission_id: missionUuid
      decision_id: decisionUuid
      approval_id: approvalUuid
      traceparent
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

/** Converts a command to the REST shape. */
export function agentCommandJson(row: ResultOf<typeof AgentCommandFields>) {
  const { issued_by: by, status, priority } = row;
  return {
    ...row,
    status: toWireEnum(status),
    priority: toWireEnum(priority),
    issued_by: actorJson(by),
  };
}
