/**
 * SQL conditions on robot `r` and agent `a` for robots that can get a mission: free, online, allowed to
 * work, and not blocked. @see VDA 5050 for the modes: in others, somebody else controls the robot.
 */
export const IS_FIT = `
  r.current_mission_id IS NULL AND r.accepts_missions AND r.operating_mode IN ('automatic', 'semiautomatic')
  AND r.status NOT IN ('offline', 'error', 'paused') AND r.emergency_stop = 'none'
  AND a.control_state = 'active' AND a.archived_at IS NULL`;

/** SQL condition: robot `f` is one that a mission's selector means. */
export function isSelectedSql(selector: string): string {
  return `(${selector} ->> 'fleet' IS NULL OR f.fleet = ${selector} ->> 'fleet')
  AND f.labels @> COALESCE(${selector} -> 'labels', '{}')`;
}

/** SQL conditions for whether mission `m` can use robot `f`. An unknown battery level does not match. */
export const IS_ELIGIBLE = `
  (m.requested_robot_id IS NULL OR m.requested_robot_id = f.id)
  AND (m.allowed_robot_ids = '{}' OR f.id = ANY (m.allowed_robot_ids))
  AND (m.min_battery_percent IS NULL OR f.battery_percent >= m.min_battery_percent)
  AND ${isSelectedSql("m.selector")}`;
