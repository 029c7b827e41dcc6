import { NOW, sql } from "../../db/sql.ts";
import { isIPv4, isIPv6 } from "node:net";
import type { Database } from "../../db/client.ts";

/** The database, or a transaction, shared by all nodes. */
export type ThrottleDatabase = {
  database: Pick<Database, "run">;
};

/** The services of throttling. */
export type ThrottleServices = ThrottleDatabase & {
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};

/** A counted attempt. */
export type Hit = { digest: Uint8Array<ArrayBuffer>; at: Date };

/**
 * Counts an attempt under a key, unless there were `limit` (at least 1) attempts in the last 15 minutes.
 * Exact over all nodes: no 15 minutes have more than the limit. Rejected attempts are not counted.
 *
 * @returns the hit, which can be given back; null if the limit is reached.
 */
export async function takeHit(
  { database, now }: ThrottleServices,
  { key, limit }: { key: string; limit: number },
): Promise<Hit | null> {
  const [hit = null] = await database.run(TAKE, [toStorableText(key), limit, now]);
  return hit;
}

/**
 * Lower-cased by PostgreSQL, like the look-up of accounts: every difference between two ways would allow
 * another attempt.
 */
const DIGEST = "sha256(convert_to(lower($1::text), 'UTF8'))";

/** A transaction that waited for another has an older clock, but a key's time must not go back. */
const AT = "GREATEST(t.touched_at, EXCLUDED.touched_at)";
const KEPT = `ARRAY(SELECT hit FROM unnest(t.hits) hit WHERE hit > ${AT} - interval '15 minutes')`;

const TAKE = sql<Hit>`
INSERT INTO throttle AS t (key, hits, touched_at)
VALUES (${DIGEST}, ARRAY[${NOW}::timestamptz(3)], ${NOW})
ON CONFLICT (key) DO UPDATE SET hits = ${KEPT} || ${AT}, touched_at = ${AT}
WHERE cardinality(${KEPT}) < $2::int
RETURNING key AS digest, touched_at AS at`;

/** Removes a hit, as if the attempt had not been made. */
export async function giveBack({ database }: ThrottleDatabase, { digest, at }: Hit): Promise<void> {
  await database.run(UPDATE, [digest, at]);
}

const UPDATE = sql`
UPDATE throttle SET hits = hits[:array_position(hits, $2::timestamptz) - 1]
  || hits[array_position(hits, $2::timestamptz) + 1:]
WHERE key = $1::bytea AND $2::timestamptz = ANY (hits)`;

/** Removes all attempts under a key. */
export async function clearHits({ database }: ThrottleDatabase, key: string): Promise<void> {
  await database.run(DELETE, [toStorableText(key)]);
}

/**
 * Returns the key under which an address is counted: an IPv4 address itself, an IPv6 address's /64, which
 * usually belongs to one household or machine. IPv4-mapped addresses are IPv4.
 */
export function addressKey(ip: string | null): string {
  const [address = ""] = (ip ?? "").split("%");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return "unknown";
  const groups = parseIpv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** Returns the eight groups of an IPv6 address. */
function parseIpv6Groups(address: string): number[] {
  // The URL parser normalizes all notations: hexadecimal, lower case, :: for the longest run of zeros.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const given = [first ?? [], last ?? []];
  const zeros = Array.from({ length: 8 - given.flat().length }, () => "0");
  return [...(given[0] ?? []), ...zeros, ...(given[1] ?? [])].map((group) => Number.parseInt(group, 16));
}

/** PostgreSQL can't store NUL in text. */
function toStorableText(key: string): string {
  return key.toWellFormed().replaceAll("\0", "");
}

const DELETE = sql`DELETE FROM throttle WHERE key = ${DIGEST}`;
