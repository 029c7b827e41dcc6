import type { LiveDatabase } from "../db/notifications.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";

/** How far the revocations were read: null before the first look, as nothing was remembered before. */
export type RevocationPosition = {
  seq: number | null;
  /** PostgreSQL's clock minus this machine's, in milliseconds. */
  offsetMs: number;
};

/** A revocation, and how many seconds ago the transaction that has revoked began. */
export type LoggedRevocation = Revocation & { ageSeconds: number };

type Row = { now: number; head: number } & LoggedRevocation & { seq: number | null };

const PAGE = 1000;

/** Reads what was revoked after a place, oldest first; where there is none yet, nothing but the place. */
export async function readRevocations(
  database: LiveDatabase,
  after: number | null,
): Promise<RevocationPosition & { revocations: LoggedRevocation[]; hasMore: boolean }> {
  const asked = Date.now();
  const rows = await database.read<Row>(REVOCATIONS, [after, PAGE]);
  const [first] = rows;
  if (first === undefined) throw new Error("revocations without their head");
  const offsetMs = first.now - (asked + Date.now()) / 2;
  // The head without a revocation stands alone, with nulls.
  const revocations = rows.filter(({ seq }) => seq !== null);
  const last = revocations.at(-1)?.seq ?? first.head;
  // A restored database counts from an earlier number.
  const seq = first.head < (after ?? 0) ? first.head : last;
  return { seq, offsetMs, revocations, hasMore: revocations.length === PAGE };
}

const REVOCATIONS = {
  name: "live_revocations",
  text: `
SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS now, h.seq::float8 AS head, r.*
FROM revocation_head h
LEFT JOIN LATERAL (
  SELECT seq::float8, kind::text, subject_id AS "subjectId", reason,
    EXTRACT(EPOCH FROM clock_timestamp() - created_at)::float8 AS "ageSeconds" FROM revocation
  WHERE revocation.seq > COALESCE($1::bigint, h.seq) ORDER BY revocation.seq LIMIT $2::int
) r ON true
WHERE h.id = 1 ORDER BY r.seq`,
};
