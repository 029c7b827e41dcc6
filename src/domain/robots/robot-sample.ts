import { sql } from "../../db/sql.ts";
import { LIMITS } from "../kernel/limits.ts";

/**
 * Selects samples of the current half minute from rows of this name. Each robot has one per half minute,
 * the first.
 */
const SAMPLED = `
INSERT INTO robot_sample (workspace_id, robot_id, at, status, battery_percent, position)
SELECT r.workspace_id, r.id, date_bin('${LIMITS.robotSampleSeconds} seconds', r.state_at, 'epoch'),
  r.status, r.battery_percent, r.position`;

/** Inserts a robot's sample of this half minute unless it exists. $1 is the workspace, $2 the robot. */
export const INSERT_ROBOT_SAMPLE = sql`${SAMPLED} FROM robot r WHERE r.workspace_id = $1::uuid AND r.id = $2::uuid ON CONFLICT DO NOTHING`;

/** {@link INSERT_ROBOT_SAMPLE} for all robots of a query with the columns of robots. */
export function buildSampleSql(robots: string): string {
  return `${SAMPLED} FROM ${robots} r ON CONFLICT DO NOTHING`;
}
