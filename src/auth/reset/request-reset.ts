import { v7 as uuidv7 } from "uuid";
import { email } from "../../domain/kernel/input.ts";
import { type ThrottleServices, addressKey, takeHit } from "../../domain/kernel/throttle.ts";

const REQUESTS_PER_ADDRESS = 10;
const REQUESTS_PER_EMAIL = 5;

/**
 * Notes that somebody asks for a reset link for an e-mail address. Whether there is an account is not looked
 * up here, so that neither the outcome nor the time tells: letters are sent later, by whoever delivers
 * letters. At most 10 requests from one place and 5 for one address within 15 minutes are noted.
 */
export async function requestReset(
  services: ThrottleServices,
  asked: { email: string; ip: string | null },
): Promise<void> {
  const place = { key: `reset:ip:${addressKey(asked.ip)}`, limit: REQUESTS_PER_ADDRESS };
  if (!(await takeHit(services, place)).allowed) return;
  const address = email.safeParse(asked.email.trim());
  if (!address.success) return;
  const mailbox = { key: `reset:email:${address.data}`, limit: REQUESTS_PER_EMAIL };
  if (!(await takeHit(services, mailbox)).allowed) return;
  await services.database.prisma.$executeRawUnsafe(
    `INSERT INTO reset_request (id, email, created_at, next_attempt_at)
     SELECT $1::uuid, lower($2), at, at FROM (SELECT COALESCE($3::timestamptz, now()) AS at) c`,
    ...[uuidv7(), address.data, services.now],
  );
}
