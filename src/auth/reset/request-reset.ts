import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import { email } from "../../domain/kernel/input.ts";
import { type ThrottleServices, addressKey, takeHit } from "../../domain/kernel/throttle.ts";

const REQUESTS_PER_ADDRESS = 10;
const REQUESTS_PER_EMAIL = 5;

/**
 * Records a request for a reset link. Accounts are not looked up here, so that neither the answer nor its
 * time shows whether there is one; a background job sends the emails. Records at most 10 requests from one
 * address and 5 for one email address within 15 minutes.
 */
export async function requestReset(
  services: ThrottleServices,
  asked: { email: string; ip: string | null },
): Promise<void> {
  const place = { key: `reset:ip:${addressKey(asked.ip)}`, limit: REQUESTS_PER_ADDRESS };
  if ((await takeHit(services, place)) === null) return;
  const address = email.safeParse(asked.email.trim());
  if (!address.success) return;
  const mailbox = { key: `reset:email:${address.data}`, limit: REQUESTS_PER_EMAIL };
  if ((await takeHit(services, mailbox)) === null) return;
  await services.database.run(INSERT, [uuidv7(), address.data, services.now]);
}

const INSERT = sql`
INSERT INTO reset_request (id, email, created_at, next_attempt_at)
SELECT $1::uuid, lower($2), at, at FROM (SELECT ${NOW} AS at) c`;
