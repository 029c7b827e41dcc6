import { sql } from "../db/sql.ts";
import type { LiveDatabase } from "../db/notifications.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";

/**
 * The position in the revocation log. `seq` is null before the first read, when nothing is remembered yet.
 */
export type RevocationPosition = {
  seq: number | null;
  /** PostgreSQL's clock minus this machine's, in milliseconds. */
  offsetMs: number;
};

/** A revocation with its age: the seconds since its transaction started. */
export type LoggedRevocation = Revocation & { ageSeconds: number };

type Row = { now: number; head: number } & LoggedRevocation & { seq: number | null };

const PAGE = 1000;

/** Reads the revocations after a position, oldest first. Without a position, returns only the current one. */
export async function readRevocations(
  database: LiveDatabase,
  after: number | null,
): Promise<RevocationPosition & { revocations: LoggedRevocation[]; hasMore: boolean }> {
  const asked = Date.now();
  const rows = await database.run(REVOCATIONS, [after, PAGE]);
  const [first] = rows;
  if (first === undefined) throw new Error("the revocation log has no head row");
  const offsetMs = first.now - (asked + Date.now()) / 2;
  // Without revocations there is one row with the head and nulls.
  const revocations = rows.filter(({ seq }) => seq !== null);
  const last = revocations.at(-1)?.seq ?? first.head;
  // A restored database continues from an earlier number.
  const seq = first.head < (after ?? 0) ? first.head : last;
  return { seq, offsetMs, revocations, hasMore: revocations.length === PAGE };
}

const REVOCATIONS = sql<Row>`
SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS now, h.seq::float8 AS head, r.*
FROM revocation_head h
LEFT JOIN LATERAL (
  SELECT seq::float8, kind::text, subject_id AS "subjectId", reason,
    EXTRACT(EPOCH FROM clock_timestamp() - created_at)::float8 AS "ageSeconds" FROM revocation
  WHERE revocation.seq > COALESCE($1::bigint, h.seq) ORDER BY revocation.seq LIMIT $2::int
) r ON true
WHERE h.id = 1 ORDER BY r.seq`;
