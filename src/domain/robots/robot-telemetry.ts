import { sql } from "../../db/sql.ts";
import type { Robot } from "../../db/generated/client.ts";

/** What of a robot its telemetry shows. */
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

/** Its columns, under their fields' names. */
const TELEMETRY = `r.workspace_id AS "workspaceId", r.id, r.status, r.operating_mode AS "operatingMode",
  r.battery_percent AS "batteryPercent", r.charging, r.position, r.velocity, r.driving, r.paused,
  r.emergency_stop AS "emergencyStop", r.field_violation AS "fieldViolation", r.state_seq AS "stateSeq",
  r.state_at AS "stateAt", r.generation`;

/** Robots of a workspace as they stand: all, or those of these ids. */
export const TELEMETRY_NOW = sql<RobotTelemetry>`SELECT ${TELEMETRY} FROM robot r WHERE r.workspace_id = $1::uuid AND ($2::uuid[] IS NULL OR r.id = ANY($2::uuid[]))`;

/** Robots of some workspaces that changed within so many seconds. */
export const TELEMETRY_CHANGED = sql<RobotTelemetry>`SELECT ${TELEMETRY} FROM robot r WHERE r.workspace_id = ANY($1::uuid[])
    AND GREATEST(r.state_at, r.updated_at) > now() - make_interval(secs => $2)`;
