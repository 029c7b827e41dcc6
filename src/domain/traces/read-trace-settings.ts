import type { CaptureContent } from "../../db/generated/enums.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { type Capture, getStricter } from "./capture.ts";
import type { DropRule } from "./drop-rules/drop-rule.ts";

/** How a workspace stores what an agent sends. */
export type TraceSettings = {
  capture: Capture;
  dropRules: readonly DropRule[];
  /** How many new spans it accepts in a day, how many came today, and for how many seconds today still lasts. */
  quota: number;
  spans: number;
  secondsLeft: number;
  /** The bytes that the workspace stores, and those that it may; null for no limit. */
  storageBytes: number;
  storageQuota: number | null;
  now: Date;
  /** Traces that began earlier are not kept. */
  oldest: Date;
};

/** @throws {DomainError} not_found. */
export async function readTraceSettings(ctx: Ctx, senderId: string): Promise<TraceSettings> {
  const [settings] = await ctx.read(SETTINGS, [ctx.workspaceId]);
  if (settings === undefined) throw createNotFoundError("workspace");
  const { capture: ofWorkspace, agents, ...others } = settings;
  const own = agents.find(({ id }) => id === senderId)?.capture;
  // Only they act for others.
  const named = hasScope(ctx, "agents:write") ? agents : [];
  const ofAgents = new Map(
    named.flatMap(({ id, handle, capture }) => [[id, capture] as const, [handle, capture] as const]),
  );
  return { ...others, capture: { own: getStricter(ofWorkspace, own), ofAgents } };
}

type Row = Omit<TraceSettings, "capture"> & {
  capture: CaptureContent;
  agents: { id: string; handle: string; capture: CaptureContent }[];
};

const SETTINGS = sql<Row>`
SELECT w.capture_content AS capture, w.spans_per_day AS quota,
  (SELECT COALESCE(sum(d.spans), 0)::int8::float8 FROM span_day d
   WHERE d.workspace_id = w.id AND d.day = (${NOW} AT TIME ZONE 'UTC')::date) AS spans,
  ceil(extract(epoch FROM date_trunc('day', ${NOW} AT TIME ZONE 'UTC') + interval '1 day'
    - (${NOW} AT TIME ZONE 'UTC')))::int AS "secondsLeft",
  h.storage_bytes::float8 AS "storageBytes", h.storage_quota::float8 AS "storageQuota",
  ${NOW} AS now, ${NOW} - w.trace_retention_days * interval '1 day' AS oldest,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', a.id, 'handle', a.handle, 'capture', a.capture_content))
    FROM agent a WHERE a.workspace_id = w.id AND a.capture_content IS NOT NULL), '[]') AS agents,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('scope', r.scope, 'name', r.name) ORDER BY r.scope, r.name)
    FROM span_drop_rule r WHERE r.workspace_id = w.id), '[]') AS "dropRules"
FROM workspace w JOIN workspace_head h ON h.workspace_id = w.id WHERE w.id = $1::uuid`;
