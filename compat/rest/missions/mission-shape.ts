import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

export const MISSION_KINDS = ["transport", "inspection", "patrol", "dock", "custom"] as const;

export const STEP_TYPES = ["move", "action", "wait", "custom"] as const;

export const STEP_STATUSES = [
  "waiting",
  "initializing",
  "running",
  "paused",
  "retriable",
  "finished",
  "failed",
  "skipped",
] as const;

/** A mission in a list. */
export const mission = z
  .strictObject({
    id: uuid,
    title: z.string(),
    kind: z.enum(MISSION_KINDS),
    robot_id: uuid.nullable(),
    selector: anyJson,
    min_battery: z.number().nullable(),
    priority: z.int(),
    status: z.enum([
      "awaiting_approval",
      "pending",
      "assigned",
      "running",
      "paused",
      "completed",
      "failed",
      "canceled",
      "expired",
    ]),
    progress: z.number(),
    estimated_duration_s: z.int().nullable(),
    deadline_at: dateTime.nullable(),
    cancel_requested_at: dateTime.nullable(),
    error: anyJson,
    task_id: uuid.nullable(),
    context_id: uuid.nullable(),
    decision_id: uuid.nullable().openapi({
      description: "What policies decided. Null if none is for such a mission.",
    }),
    approval_id: uuid.nullable().openapi({
      description: "The question to people, if policies asked them.",
    }),
    trace_id: z.string().nullable(),
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
  })
  .openapi("Mission");

const step = z
  .strictObject({
    key: z.string(),
    type: z.enum(STEP_TYPES),
    params: anyJson,
    status: z.enum(STEP_STATUSES),
    result: anyJson,
    error: anyJson,
    started_at: dateTime.nullable(),
    finished_at: dateTime.nullable(),
  })
  .openapi("MissionStep");

/** A mission with its steps. */
export const wholeMission = z
  .strictObject({
    ...mission.shape,
    requested_robot_id: uuid
      .nullable()
      .openapi({ description: "The robot requested at creation. Null if any matching robot may do it." }),
    allowed_robot_ids: z.array(uuid).openapi({
      description:
        "Of a mission without a requested robot: those for which policies allow it, or people are asked. Empty if no policy is for it.",
    }),
    dispatch_attempts: z.int().openapi({
      description: "How often a robot failed to accept the mission. After the third time the mission fails.",
    }),
    assigned_at: dateTime.nullable(),
    start_command_id: uuid
      .nullable()
      .openapi({ description: "The command that sent the mission to its robot." }),
    steps: z.array(step),
  })
  .openapi("WholeMission");

export const MissionFields = graphql(
  `
    fragment MissionFields on Mission {
      id: uuid
      title
      kind
      robot_id: robotUuid
      selector
      min_battery: minBatteryPercent
      priority
      status
      progress
      estimated_duration_s: estimatedDurationSeconds
      deadline_at: deadlineAt
      cancel_requested_at: cancelRequestedAt
      error
      task_id: taskUuid
      context_id: contextId
      decision_id: decisionUuid
      approval_id: approvalUuid
      trace_id: traceId
      created_by: createdBy {
        ...ActorFields
      }
      generation
      created_at: createdAt
      updated_at: updatedAt
      started_at: startedAt
      finished_at: finishedAt
    }
  `,
  [ActorFields],
);

export const WholeMissionFields = graphql(
  `
    fragment WholeMissionFields on Mission {
      ...MissionFields
      dispatch {
        requested_robot_id: requestedRobotUuid
        allowed_robot_ids: allowedRobotUuids
        dispatch_attempts: attempts
        assigned_at: assignedAt
        start_command_id: startCommandUuid
      }
      steps {
        key
        type
        params
        status
        result
        error
        started_at: startedAt
        finished_at: finishedAt
      }
    }
  `,
  [MissionFields],
);

/** Converts a mission of a list to the REST shape. */
export function missionJson(row: ResultOf<typeof MissionFields>) {
  const { created_by: by, kind, status } = row;
  return {
    ...row,
    kind: toWireEnum(kind),
    status: toWireEnum(status),
    created_by: actorJson(by),
  };
}

/** Converts a mission with its steps to the REST shape. */
export function wholeMissionJson({ dispatch, steps, ...row }: ResultOf<typeof WholeMissionFields>) {
  return {
    ...missionJson(row),
    ...dispatch,
    steps: steps.map((one) => ({ ...one, type: toWireEnum(one.type), status: toWireEnum(one.status) })),
  };
}
