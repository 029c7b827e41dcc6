import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { email } from "../kernel/input.ts";
import { isObject } from "../kernel/is-object.ts";
import type { Attributes } from "./resource.ts";

/**
 * Returns the address for log-in: the primary email, otherwise a userName that is an address, otherwise the
 * first email.
 */
export function getLoginAddress({ emails, userName }: Attributes): string | null {
  const given = Array.isArray(emails) ? emails.filter(isObject) : [];
  const preferred = given.find(({ primary }) => primary === true)?.["value"];
  const candidates: unknown[] = [preferred, userName, ...given.map(({ value }) => value)];
  return candidates.find(isAddress) ?? null;
}

function isAddress(value: unknown): value is string {
  return email.safeParse(value).success;
}

/**
 * Returns the address if it is free. Two users of the identity provider may have the same address: only the
 * first can log in with it, and the other gets null.
 *
 * @throws {DomainError} already_exists if a member that the identity provider does not manage has the
 *   address.
 */
export async function findFreeAddress(
  { run, ctx }: Transaction,
  userId: string,
  address: string | null,
): Promise<string | null> {
  if (address === null) return null;
  const [holder] = await run(READ, [ctx.workspaceId, address, userId]);
  if (holder === undefined) return address;
  if (holder.provisioned) return null;
  throw new DomainError("already_exists", "Another member has this email address.", { field: "emails" });
}

const READ = sql<{ provisioned: boolean }>`
SELECT user_name IS NOT NULL AS provisioned FROM "user"
WHERE workspace_id = $1::uuid AND lower(email) = lower($2) AND id <> $3::uuid`;
