import type { WebhookKind } from "../db/generated/enums.ts";
import { sql } from "../db/sql.ts";

/** How long a node may send to an endpoint before it must say that it still does. */
export const LEASE_SECONDS = 10;

const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;

/** An endpoint to which this node alone sends, until the lease ends. */
export type HeldEndpoint = {
  workspaceId: string;
  id: string;
  kind: WebhookKind;
  url: string;
  eventTypes: string[];
  sealedSecret: Uint8Array;
  sealedPreviousSecret: Uint8Array | null;
  cursor: number;
  seek: number;
  isHeld: boolean;
  generation: number;
};

/** The most endpoints of a workspace that are taken at once: receivers that hang leave room for others'. */
export const MOST_OF_WORKSPACE = 25;
/** Of several, each leaves so many times as many as it has. */
const LEFT_FOR_OTHERS = 10;

const IS_FREE = "e.disabled_at IS NULL AND (e.lease_until IS NULL OR e.lease_until <= now())";

/**
 * Takes endpoints that have something to get and that no other node sends to, not those of suspended workspaces, and
 * those first of whose workspace the fewest are taken. Values: workspaces or null for all, how many, the lease's token,
 * and the workspaces of endpoints that this node has, and how many each has.
 */
export const TAKE = sql<HeldEndpoint>`
WITH ready AS MATERIALIZED (
  SELECT e.workspace_id, e.id, e.lease_until, COALESCE(b.count, 0)
    + row_number() OVER (PARTITION BY e.workspace_id ORDER BY e.lease_until NULLS FIRST) AS place
  FROM webhook_endpoint e JOIN workspace_head h ON h.workspace_id = e.workspace_id
  JOIN workspace w ON w.id = e.workspace_id AND w.suspended_at IS NULL
  LEFT JOIN unnest($4::uuid[], $5::int[]) AS b (workspace_id, count) ON b.workspace_id = e.workspace_id
  WHERE ${IS_FREE} AND ($1::uuid[] IS NULL OR e.workspace_id = ANY($1::uuid[]))
    AND ((h.seq > e.cursor_seq AND NOT e.is_held) OR EXISTS (
      SELECT 1 FROM webhook_delivery d
      WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.next_attempt_at <= now()))
), ranked AS MATERIALIZED (
  SELECT workspace_id, id, place, row_number() OVER (ORDER BY place, lease_until NULLS FIRST) AS rank FROM ready
  WHERE place <= ${MOST_OF_WORKSPACE}
), due AS MATERIALIZED (
  SELECT e.workspace_id, e.id FROM ranked r JOIN webhook_endpoint e ON e.workspace_id = r.workspace_id AND e.id = r.id
  WHERE r.rank <= $2::int AND r.place <= GREATEST(1, ($2::int - r.rank) / ${LEFT_FOR_OTHERS}) AND ${IS_FREE}
  FOR UPDATE OF e SKIP LOCKED
)
UPDATE webhook_endpoint e SET lease_token = $3::uuid, lease_until = ${LEASE}
FROM due WHERE e.workspace_id = due.workspace_id AND e.id = due.id
RETURNING e.workspace_id AS "workspaceId", e.id, e.kind::text, e.url, e.event_types AS "eventTypes",
  e.sealed_secret AS "sealedSecret", e.cursor_seq::float8 AS cursor, e.seek, e.is_held AS "isHeld", e.generation,
  CASE WHEN e.previous_secret_ends_at > now() THEN e.sealed_previous_secret END AS "sealedPreviousSecret"`;

/** Workspaces with enabled endpoints, and how many. */
export const KNOWN = sql<{ workspaceId: string; count: number }>`
SELECT workspace_id AS "workspaceId", count(*)::int AS count FROM webhook_endpoint WHERE disabled_at IS NULL
GROUP BY workspace_id`;

/** Renews leases. Values: workspaces, endpoints and tokens. Returns those that still are this node's. */
export const RENEW = sql<{ id: string }>`
UPDATE webhook_endpoint e SET lease_until = ${LEASE}
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS held (workspace_id, id, token)
WHERE e.workspace_id = held.workspace_id AND e.id = held.id AND e.lease_token = held.token
RETURNING e.id`;

/** Ends a lease, with the cursor as far as it has come. Values: workspace, endpoint, token, seek and cursor. */
export const RELEASE = sql`
UPDATE webhook_endpoint SET lease_token = NULL, lease_until = now(),
  cursor_seq = CASE WHEN seek = $4::int THEN $5::bigint ELSE cursor_seq END
WHERE workspace_id = $1::uuid AND id = $2::uuid AND lease_token = $3::uuid`;

/** A delivery that is pending. */
export type PendingDelivery = {
  eventId: string;
  seq: number;
  eventType: string;
  subjectId: string;
  body: string;
  attempts: number;
  /** In how many milliseconds it is due; null if it waits behind another. */
  dueInMs: number | null;
};

/** How many deliveries are read at once. */
export const READ_AT_ONCE = 1000;

/** The deliveries of an endpoint that are pending, in the order of the log. */
export const PENDING = sql<PendingDelivery>`
SELECT event_id AS "eventId", seq::float8 AS seq, event_type AS "eventType", subject_id AS "subjectId", body, attempts,
  (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 AS "dueInMs"
FROM webhook_delivery WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid AND status = 'pending'
ORDER BY seq, id LIMIT ${READ_AT_ONCE}`;

/** What is stored of a delivery. */
export type DeliveryRecord = {
  id: string;
  event_id: string;
  seq: number;
  event_type: string;
  subject_id: string;
  body: string;
  status: "pending" | "delivered";
  attempts: number;
  next_in_ms: number | null;
  /** Whether it was attempted. Otherwise what is stored of the last attempt stays. */
  is_attempted: boolean;
  duration_ms: number | null;
  answer_status: number | null;
  answer_body: string | null;
  problem: string | null;
};

const ANSWER = ["attempted_at", "duration_ms", "answer_status", "answer_body", "problem"];

/**
 * Stores deliveries, and moves the cursor. Values: workspace, endpoint, token, seek, cursor, whether it waits, and the
 * deliveries as JSON. Returns no row, and stores nothing, if the lease is another node's or the cursor was set meanwhile.
 */
export const RECORD = sql<{ generation: number }>`
WITH held AS (
  UPDATE webhook_endpoint SET cursor_seq = $5::bigint, is_held = $6::boolean, lease_until = ${LEASE}
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND lease_token = $3::uuid AND seek = $4::int
  RETURNING generation
), kept AS (
  INSERT INTO webhook_delivery AS d (workspace_id, id, endpoint_id, event_id, seq, event_type, subject_id, body, status,
    attempts, next_attempt_at, attempted_at, duration_ms, answer_status, answer_body, problem)
  SELECT $1::uuid, r.id, $2::uuid, r.event_id, r.seq, r.event_type, r.subject_id, r.body,
    r.status::webhook_delivery_status, r.attempts, now() + r.next_in_ms * interval '1 millisecond',
    CASE WHEN r.is_attempted THEN now() END, r.duration_ms, r.answer_status, r.answer_body, r.problem
  FROM held, json_to_recordset($7::json) AS r (id uuid, event_id uuid, seq bigint, event_type text, subject_id uuid,
    body text, status text, attempts int, next_in_ms int, is_attempted boolean, duration_ms int, answer_status int,
    answer_body text, problem text)
  ON CONFLICT (workspace_id, endpoint_id, event_id) DO UPDATE SET status = EXCLUDED.status,
    attempts = EXCLUDED.attempts, next_attempt_at = EXCLUDED.next_attempt_at,
    ${ANSWER.map((column) => `${column} = CASE WHEN EXCLUDED.attempted_at IS NULL THEN d.${column} ELSE EXCLUDED.${column} END`).join(", ")}
)
SELECT generation FROM held`;
