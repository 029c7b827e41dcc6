import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { sweepQueuedSpans } from "../../src/domain/traces/sweep-queued-spans.ts";
import type { QuietServices } from "./quiet-services.ts";
import { readStoredSpans } from "./stored-spans.ts";

/** A span of the service, as tests look at it. */
export type SeenSpan = {
  name: string;
  place: { traceId: string; spanId: string };
  parentSpanId: string | null;
  op: string;
  status: string;
  statusMessage: string | null;
  startedAt: string;
  endedAt: string | null;
  agentId: string;
  attributes: Record<string, unknown>;
  events: string[];
};

/** Writes what is queued, and reads the service's own spans of a workspace, in the order in which they started. */
export async function readServerSpans(
  { services, database }: Pick<QuietServices, "services" | "database">,
  workspaceId: string,
): Promise<SeenSpan[]> {
  await sweepQueuedSpans(services);
  const rows = await readStoredSpans(database, workspaceId);
  return rows
    .filter((row) => row["credential_agent_id"] === null)
    .map(toSeen)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

function toSeen(row: Record<string, unknown>): SeenSpan {
  return {
    name: String(row["name"]),
    place: { traceId: toTraceId(String(row["trace_id"])), spanId: String(row["span_id"]) },
    parentSpanId: row["parent_span_id"] as string | null,
    op: String(row["op"]),
    status: String(row["status"]),
    statusMessage: row["status_message"] as string | null,
    startedAt: toInstant(row["started_at"]),
    endedAt: row["ended_at"] === null ? null : toInstant(row["ended_at"]),
    agentId: String(row["agent_id"]),
    attributes: row["attributes"] as Record<string, unknown>,
    events: ((row["events"] ?? []) as { name: string }[]).map(({ name }) => name),
  };
}

/** @param value PostgreSQL's text. */
function toInstant(value: unknown): string {
  return new Date(String(value)).toISOString();
}
