import { createHash, randomBytes } from "node:crypto";
import { NOW, sql } from "../../db/sql.ts";
import type { Run } from "../../db/sql.ts";
import type { ThrottleServices } from "../../domain/kernel/throttle.ts";

/** What a challenge is for: a passkey that was used for one thing proves nothing for another. */
export type ChallengeUse = {
  purpose: "add" | "log-in" | "verify" | "confirm";
  /** The person, or the log-in that waits; "" for whoever logs in. */
  subject: string;
};

const SECONDS = 300;

/** Creates a challenge for five minutes. Only its digest is stored. Returns 32 random bytes in base64url. */
export async function createChallenge(run: Run, use: ChallengeUse): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await run(INSERT, [digest(use, challenge)]);
  return challenge;
}

/** Uses up a challenge. Returns whether it was created for this, within five minutes, and not used before. */
export async function takeChallenge(run: Run, use: ChallengeUse, challenge: string): Promise<boolean> {
  const taken = await run(TAKE, [digest(use, challenge)]);
  return taken.length > 0;
}

function digest({ purpose, subject }: ChallengeUse, challenge: string): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(["passkey challenge", purpose, subject, challenge]);
  return new Uint8Array(createHash("sha256").update(text).digest());
}

const INSERT = sql`
INSERT INTO passkey_challenge (digest, expires_at)
SELECT $1, at + interval '${SECONDS} seconds' FROM (SELECT ${NOW}::timestamptz(3) AS at) c`;

const TAKE = sql<{ digest: Uint8Array }>`
WITH taken AS (DELETE FROM passkey_challenge WHERE digest = $1 RETURNING digest, expires_at)
SELECT digest FROM taken WHERE expires_at > ${NOW}`;

/** Runs the statements of challenges outside of a context. */
export function runAt({ database, now }: ThrottleServices): Run {
  return (statement, values) => database.run(statement, [...values, now]);
}
