import { sql } from "../../db/sql.ts";
import type { Robot } from "../../db/generated/client.ts";

/** The fields of a robot's telemetry. */
export type RobotTelemetry = Pick<
  Robot,
  | "workspaceId"
  | "id"
  | "status"
  | "operatingMode"
  | "batteryPercent"
  | "charging"
  | "position"
  | "velocity"
  | "driving"
  | "paused"
  | "emergencyStop"
  | "fieldViolation"
  | "stateSeq"
  | "stateAt"
  | "generation"
>;

/** The columns, under their field names. */
const TELEMETRY = `r.workspace_id AS "workspaceId", r.id, r.status, r.operating_mode AS "operatingMode",
  r.battery_percent AS "batteryPercent", r.charging, r.position, r.velocity, r.driving, r.paused,
  r.emergency_stop AS "emergencyStop", r.field_violation AS "fieldViolation", r.state_seq AS "stateSeq",
  r.state_at AS "stateAt", r.generation`;

/** The current state of a workspace's robots: all, or those with these ids. */
export const TELEMETRY_NOW = sql<RobotTelemetry>`SELECT ${TELEMETRY} FROM robot r WHERE r.workspace_id = $1::uuid AND ($2::uuid[] IS NULL OR r.id = ANY($2::uuid[]))`;

/** Robots of some workspaces that changed in the last seconds. */
export const TELEMETRY_CHANGED = sql<RobotTelemetry>`SELECT ${TELEMETRY} FROM robot r WHERE r.workspace_id = ANY($1::uuid[])
    AND GREATEST(r.state_at, r.updated_at) > now() - make_interval(secs => $2)`;
