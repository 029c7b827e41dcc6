import { sql } from "../../db/sql.ts";
import { LIMITS } from "../kernel/limits.ts";

/** Which robots, as rows of this name, and their half minute: each has one sample of it, the first. */
const SAMPLED = `
INSERT INTO robot_sample (workspace_id, robot_id, at, status, battery_percent, position)
SELECT r.workspace_id, r.id, date_bin('${LIMITS.robotSampleSeconds} seconds', r.state_at, 'epoch'),
  r.status, r.battery_percent, r.position`;

/** Keeps a robot's state as its sample of this half minute, where there is none. Of workspace $1, robot $2. */
export const INSERT_ROBOT_SAMPLE = sql`${SAMPLED} FROM robot r WHERE r.workspace_id = $1::uuid AND r.id = $2::uuid ON CONFLICT DO NOTHING`;

/** The same for every robot of a query that has the columns of robots. */
export function buildSampleSql(robots: string): string {
  return `${SAMPLED} FROM ${robots} r ON CONFLICT DO NOTHING`;
}
