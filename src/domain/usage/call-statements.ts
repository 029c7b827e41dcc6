import { sql } from "../../db/sql.ts";
import { formatPico, parsePico } from "../prices/pico-dollars.ts";
import type { UsageCall } from "./usage-call.ts";

type Column = readonly [field: keyof UsageCall, name: string, type: string];

const COLUMNS: readonly Column[] = [
  ["traceId", "trace_id", "uuid"],
  ["callKey", "call_key", "text"],
  ["signal", "signal", "usage_signal"],
  ["senderId", "sender_id", "uuid"],
  ["sessionKey", "session_key", "text"],
  ["agentId", "agent_id", "uuid"],
  ["taskId", "task_id", "uuid"],
  ["reservationId", "reservation_id", "uuid"],
  ["parentKey", "parent_key", "text"],
  ["op", "op", "span_op"],
  ["role", "role", "usage_role"],
  ["model", "model", "text"],
  ["inputTokens", "input_tokens", "int8"],
  ["cacheReadTokens", "cache_read_tokens", "int8"],
  ["cacheWriteTokens", "cache_write_tokens", "int8"],
  ["outputTokens", "output_tokens", "int8"],
  ["costPico", "cost_usd", "numeric"],
  ["costSource", "cost_source", "cost_source"],
  ["isTwin", "is_twin", "bool"],
  ["withinSum", "within_sum", "bool"],
  ["withinSentSum", "within_sent_sum", "bool"],
  ["countsTokens", "counts_tokens", "bool"],
  ["countsCost", "counts_cost", "bool"],
  ["charged", "charged", "bool"],
  ["isOtherModel", "is_other_model", "bool"],
  ["chargedAt", "charged_at", "timestamptz"],
];

const KEY = new Set(["trace_id", "call_key", "signal"]);
const NAMES = COLUMNS.map(([, name]) => name).join(", ");
const PARAMETERS = COLUMNS.map(([, , type], at) => `$${at + 2}::${type}[]`).join(", ");
const CHANGES = COLUMNS.filter(([, name]) => !KEY.has(name))
  .map(([, name]) => `${name} = EXCLUDED.${name}`)
  .join(", ");

/** A row of the table. */
type CallRow = Omit<UsageCall, "costPico"> & { costUsd: string | null };

const SELECTED = COLUMNS.map(([field, name]) =>
  field === "costPico" ? `c.cost_usd::text AS "costUsd"` : `c.${name} AS "${field}"`,
).join(", ");

/**
 * Reads calls of a sender and a signal ($3). $4 and $5 name calls; of the traces $6, all are read. Their sessions are
 * locked. LIMIT and OFFSET make PostgreSQL look up each call by its whole key, and each trace by itself, also while it
 * has no statistics.
 */
export const READ_CALLS = sql<CallRow>`
SELECT ${SELECTED} FROM (
  SELECT * FROM unnest($4::uuid[], $5::text[]) g (trace_id, call_key)
  UNION
  SELECT a.trace_id, a.call_key FROM unnest($6::uuid[]) t (id)
  CROSS JOIN LATERAL (
    SELECT * FROM usage_call o
    WHERE o.workspace_id = $1::uuid AND o.trace_id = t.id AND o.signal = $3::usage_signal
    OFFSET 0
  ) a
) n
CROSS JOIN LATERAL (
  SELECT * FROM usage_call o
  WHERE o.workspace_id = $1::uuid AND o.trace_id = n.trace_id AND o.call_key = n.call_key
    AND o.signal = $3::usage_signal
  LIMIT 1
) c
WHERE c.sender_id = $2::uuid`;

/** Reads the charged calls of sessions ($3) of which now another signal ($4) is charged. */
export const OUTDATED_CALLS = sql<CallRow>`
SELECT ${SELECTED} FROM usage_call c
WHERE c.workspace_id = $1::uuid AND c.sender_id = $2::uuid AND c.session_key = ANY($3::text[]) AND c.charged
  AND c.signal <> $4::usage_signal`;

/** Writes calls in the order of their keys. */
export const WRITE_CALLS = sql`
INSERT INTO usage_call (workspace_id, ${NAMES})
SELECT $1::uuid, g.* FROM unnest(${PARAMETERS}) g (${NAMES}) ORDER BY g.trace_id, g.call_key, g.signal
ON CONFLICT (workspace_id, trace_id, call_key, signal) DO UPDATE SET ${CHANGES}`;

/** The parameters of {@link WRITE_CALLS} after the first. */
export function toCallColumns(calls: readonly UsageCall[]): unknown[][] {
  return COLUMNS.map(([field]) =>
    field === "costPico"
      ? calls.map(({ costPico }) => (costPico === null ? null : formatPico(costPico)))
      : calls.map((call) => call[field]),
  );
}

/** Reads a row. */
export function toUsageCall({ costUsd, ...row }: CallRow): UsageCall {
  return { ...row, costPico: costUsd === null ? null : parsePico(costUsd) };
}
