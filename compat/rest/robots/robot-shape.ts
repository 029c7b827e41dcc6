import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { controlState, stopState } from "../agents/agent-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

export const operatingMode = z
  .enum(["automatic", "semiautomatic", "intervened", "manual", "startup", "service", "teach_in"])
  .openapi({ description: "As defined by VDA 5050." });

/** Emergency stop reported by the robot itself. */
export const robotEmergencyStop = z.enum(["none", "manual", "remote"]);

/** A robot in the REST API. */
export const robot = z
  .strictObject({
    id: uuid.openapi({ description: "The same id as the robot's agent." }),
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    serial_number: z.string().nullable(),
    fleet: z.string().nullable(),
    operating_mode: operatingMode,
    status: z
      .enum(["offline", "error", "charging", "paused", "executing", "idle"])
      .openapi({ description: "The activity the robot reports." }),
    control_state: controlState,
    stop_state: stopState.nullable(),
    battery_percent: z.number().nullable(),
    charging: z.boolean(),
    position: anyJson,
    velocity: anyJson,
    driving: z.boolean(),
    paused: z.boolean(),
    emergency_stop: robotEmergencyStop,
    field_violation: z.boolean(),
    errors: anyJson,
    loads: anyJson,
    accepts_missions: z.boolean(),
    current_mission_id: uuid.nullable(),
    state_seq: z.int(),
    state_at: dateTime.nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Robot");

export const RobotFields = graphql(`
  fragment RobotFields on Robot {
    id: uuid
    manufacturer
    model
    serial_number: serialNumber
    fleet
    operating_mode: operatingMode
    status
    control_state: controlState
    stop_state: stopState
    battery_percent: batteryPercent
    charging
    position
    velocity
    driving
    paused
    emergency_stop: emergencyStop
    field_violation: fieldViolation
    errors
    loads
    accepts_missions: acceptsMissions
    current_mission_id: currentMissionUuid
    state_seq: stateSeq
    state_at: stateAt
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

/** Converts a robot to the REST shape. */
export function robotJson(row: ResultOf<typeof RobotFields>) {
  return {
    ...row,
    operating_mode: toWireEnum(row.operating_mode),
    status: toWireEnum(row.status),
    control_state: toWireEnum(row.control_state),
    stop_state: row.stop_state && toWireEnum(row.stop_state),
    emergency_stop: toWireEnum(row.emergency_stop),
  };
}
