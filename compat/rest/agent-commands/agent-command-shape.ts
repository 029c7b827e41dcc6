import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

/** A command's statuses on the wire. */
export const COMMAND_STATUSES = [
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

/** A command's priorities on the wire. */
export const COMMAND_PRIORITIES = ["normal", "urgent"] as const;

/** A command on the wire. */
export const agentCommand = z
  .strictObject({
    id: uuid,
    agent_id: uuid,
    seq: z.int().openapi({ description: "The agent's own order of commands, from 1 and without a hole." }),
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
    late: z.boolean().openapi({ description: "Whether the result came after the time-out." }),
    issued_by: actor,
    batch_id: uuid.nullable(),
    task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    traceparent: z.string().nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("AgentCommand");

/** What of a command is asked for. */
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
      traceparent
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

/** A command as the wire has it. */
export function agentCommandJson(row: ResultOf<typeof AgentCommandFields>) {
  const { issued_by: by, status, priority } = row;
  return {
    ...row,
    status: toWireEnum(status),
    priority: toWireEnum(priority),
    issued_by: actorJson(by),
  };
}
