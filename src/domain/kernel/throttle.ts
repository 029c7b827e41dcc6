import { NOW, sql } from "../../db/sql.ts";
import { isIPv4, isIPv6 } from "node:net";
import type { Database } from "../../db/client.ts";

/** The database that all nodes share; within a transaction, that. */
export type ThrottleDatabase = {
  database: Pick<Database, "run">;
};

/** What throttling needs beside the database: the time, where a test sets it. */
export type ThrottleServices = ThrottleDatabase & {
  /** Null in production, where PostgreSQL's now() decides. */
  now: Date | null;
};

/** An attempt that was counted. */
export type Hit = { digest: Uint8Array<ArrayBuffer>; at: Date };

/**
 * Counts one attempt under a key, unless `limit` (at least 1) attempts lie in the last 15 minutes already. It
 * is exact on any number of nodes: no 15 minutes ever hold more than the limit, and what was refused is
 * not counted.
 *
 * @returns the hit to give back, null where it was refused.
 */
export async function takeHit(
  { database, now }: ThrottleServices,
  { key, limit }: { key: string; limit: number },
): Promise<{ allowed: boolean; hit: Hit | null }> {
  const [hit = null] = await database.run(TAKE, [toStorableText(key), limit, now]);
  return { allowed: hit !== null, hit };
}

/** Folded by PostgreSQL, as accounts are found: two foldings would differ, and every difference be one more try. */
const DIGEST = "sha256(convert_to(lower($1::text), 'UTF8'))";

/** Whoever waited for another's hit has an older clock than that; a key's time never runs backwards. */
const AT = "GREATEST(t.touched_at, EXCLUDED.touched_at)";
const KEPT = `ARRAY(SELECT hit FROM unnest(t.hits) hit WHERE hit > ${AT} - interval '15 minutes')`;

const TAKE = sql<Hit>`
INSERT INTO throttle AS t (key, hits, touched_at)
VALUES (${DIGEST}, ARRAY[${NOW}::timestamptz(3)], ${NOW})
ON CONFLICT (key) DO UPDATE SET hits = ${KEPT} || ${AT}, touched_at = ${AT}
WHERE cardinality(${KEPT}) < $2::int
RETURNING key AS digest, touched_at AS at`;

/** Takes one hit out again, as if the attempt had not been made. */
export async function giveBack({ database }: ThrottleDatabase, { digest, at }: Hit): Promise<void> {
  await database.run(UPDATE, [digest, at]);
}

const UPDATE = sql`
UPDATE throttle SET hits = hits[:array_position(hits, $2::timestamptz) - 1]
  || hits[array_position(hits, $2::timestamptz) + 1:]
WHERE key = $1::bytea AND $2::timestamptz = ANY (hits)`;

/** Forgets every attempt under a key. */
export async function clearHits({ database }: ThrottleDatabase, key: string): Promise<void> {
  await database.run(DELETE, [toStorableText(key)]);
}

/**
 * Whom an address stands for: an IPv4 address for itself, an IPv6 address for its /64, which one
 * household or one machine has whole. IPv4 written as IPv6 is IPv4.
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

/** The eight groups of an IPv6 address. */
function parseIpv6Groups(address: string): number[] {
  // The URL parser brings every spelling to one: hexadecimal, lower case, :: for the longest run of zeros.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const given = [first ?? [], last ?? []];
  const zeros = Array.from({ length: 8 - given.flat().length }, () => "0");
  return [...(given[0] ?? []), ...zeros, ...(given[1] ?? [])].map((group) => Number.parseInt(group, 16));
}

/** PostgreSQL has no text with NUL in it. */
function toStorableText(key: string): string {
  return key.toWellFormed().replaceAll("\0", "");
}

const DELETE = sql`DELETE FROM throttle WHERE key = ${DIGEST}`;
