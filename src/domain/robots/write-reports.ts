import { sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
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

/** The most robots and the most JSON, in UTF-16 units, of one statement. One report may be as large. */
const BATCH = { robots: 500, length: 1_048_576 };

/**
 * Writes the telemetry of many robots of a workspace, in few statements. Skips robots that have changed since
 * the comparison, are locked, or have newer data.
 *
 * @returns the ids of the robots that were written.
 */
export async function writeReports(
  { database }: Services,
  reports: readonly HeldReport[],
): Promise<Set<string>> {
  const written = new Set<string>();
  for (const batch of toBatches(reports)) {
    const rows = await database.run(WRITE, [`[${batch.join(",")}]`]);
    for (const { id } of rows) written.add(id);
  }
  return written;
}

/** Yields rows as JSON. */
function* toBatches(reports: readonly HeldReport[]): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const report of reports) {
    const row = JSON.stringify(toRow(report));
    if (batch.length === BATCH.robots || (batch.length > 0 && length + row.length > BATCH.length)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(row);
    length += row.length;
  }
  if (batch.length > 0) yield batch;
}

function toRow({ workspaceId, robotId, generation, at, report }: HeldReport) {
  const { charging, driving, paused, errors, loads } = report;
  return {
    workspace_id: workspaceId,
    id: robotId,
    generation,
    at,
    charging,
    driving,
    paused,
    errors,
    loads,
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
