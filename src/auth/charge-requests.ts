import type { Context } from "hono";
import { credentialId } from "../domain/kernel/actor.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { CallerEnv } from "./admit-caller.ts";

/**
 * Counts what one request asks for besides its first part, which was counted when the caller was admitted.
 *
 * @throws {DomainError} rate_limited.
 */
export async function chargeRequests(
  c: Context<CallerEnv>,
  rateLimit: RateLimit,
  requests: number,
): Promise<void> {
  if (requests === 0) return;
  const { allowed, headers } = await rateLimit(credentialId(c.get("ctx").actor) ?? "", requests);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (!allowed)
    throw new DomainError(
      "rate_limited",
      "Too many requests per second, each part of one counted. Send fewer.",
    );
}
