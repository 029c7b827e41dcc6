import { sql } from "../../db/sql.ts";
import type { Services } from "../kernel/context.ts";
import type { RobotReport } from "./robot-report.ts";
import { buildSampleSql } from "./robot-sample.ts";
import { isLaterSql } from "./state-sequence.ts";

/** A report that changes only telemetry, and the robot's generation that it was compared with. */
export type HeldReport = {
  workspaceId: string;
  robotId: string;
  generation: number;
  /** When it was reported; null for the time of writing. */
  at: Date | null;
  report: RobotReport;
};

/**
 * Writes the telemetry of many robots in one statement. Skips robots that have changed since the
 * comparison, are locked, or have newer data.
 *
 * @returns the ids of the robots that were written.
 */
export async function writeReports(
  { database }: Services,
  reports: readonly HeldReport[],
): Promise<Set<string>> {
  const rows = await database.run(WRITE, [JSON.stringify(reports.map(toRow))]);
  return new Set(rows.map(({ id }) => id));
}

function toRow({ workspaceId, robotId, generation, at, report }: HeldReport) {
  const { charging, driving, paused, errors, loads } = report;
  return {
    ...{ workspace_id: workspaceId, id: robotId, generation, at, charging, driving, paused, errors, loads },
    state_seq: report.stateSeq,
    wraps: report.wraps === true,
    battery_percent: report.batteryPercent ?? null,
    position: report.position ?? null,
    velocity: report.velocity ?? null,
  };
}

const WRITE = sql<{ id: string }>`
WITH told AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS t(
    workspace_id uuid, id uuid, generation int, at timestamptz, state_seq bigint, wraps boolean, charging boolean,
    driving boolean, paused boolean, errors jsonb, loads jsonb, battery_percent float8, position jsonb, velocity jsonb)
), free AS (
  SELECT r.workspace_id, r.id FROM robot r JOIN told t USING (workspace_id, id)
  WHERE r.generation = t.generation AND r.status <> 'offline' AND ${isLaterSql("t", "r")}
  FOR NO KEY UPDATE OF r SKIP LOCKED
), written AS (
  UPDATE robot r SET state_seq = t.state_seq, state_at = COALESCE(t.at, now()), charging = t.charging,
    driving = t.driving, paused = t.paused, errors = t.errors, loads = t.loads,
    battery_percent = t.battery_percent, position = t.position, velocity = t.velocity
  FROM free f JOIN told t USING (workspace_id, id)
  WHERE r.workspace_id = f.workspace_id AND r.id = f.id
  RETURNING r.*
), sampled AS (
  ${buildSampleSql("written")}
), ticked AS (
  UPDATE collection_total k SET ticks = ticks + 1
  WHERE k.collection = 'robots' AND k.facet = 'all' AND k.workspace_id IN (SELECT workspace_id FROM written)
)
SELECT id::text FROM written`;
