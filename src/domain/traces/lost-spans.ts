import { TraceStatus } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import { PRESENCE_SECONDS } from "../agents/presence.ts";
import type { Ctx } from "../kernel/context.ts";

/** Lost: it is open, but the agent that sent it is offline. It is open again when the agent comes back. */
export const SpanStatus = { ...TraceStatus, lost: "lost" } as const;
export type SpanStatus = (typeof SpanStatus)[keyof typeof SpanStatus];

/** SQL for whether the agent that sent `s` is offline. Nobody sent the service's own spans. */
const IS_OFFLINE = `EXISTS (
  SELECT 1 FROM agent a WHERE a.workspace_id = s.workspace_id AND a.id = s.credential_agent_id
    AND a.last_seen_at <= ${NOW} - interval '${PRESENCE_SECONDS.stale} seconds')`;

/** SQL for the status of a span `s`. */
export const SPAN_STATUS = `CASE WHEN s.ended_at IS NULL AND ${IS_OFFLINE} THEN 'lost' ELSE s.status::text END`;

/** Of more open spans of a trace, only these are looked at. */
const MOST_OPEN = 1000;

/** Finds which traces have lost spans. @returns true by their ids. */
export async function findTracesWithLost(ctx: Ctx, ids: readonly string[]): Promise<Map<string, true>> {
  const rows = await ctx.read(TRACES, [ctx.workspaceId, ids]);
  return new Map(rows.map(({ id }) => [id, true]));
}

/** SQL for whether a trace of this alias has lost spans. */
export function hasLostSpans(trace: string): string {
  return `(${trace}.open_count > 0 AND EXISTS (
  SELECT 1 FROM (
    SELECT DISTINCT open.workspace_id, open.credential_agent_id FROM (
      SELECT o.workspace_id, o.credential_agent_id FROM span o
      WHERE o.workspace_id = ${trace}.workspace_id AND o.day = ${trace}.day AND o.trace_id = ${trace}.id
        AND o.ended_at IS NULL
      LIMIT ${MOST_OPEN}
    ) open
  ) s WHERE ${IS_OFFLINE}))`;
}

const TRACES = sql<{ id: string }>`
SELECT t.id FROM trace t WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[]) AND ${hasLostSpans("t")}`;
