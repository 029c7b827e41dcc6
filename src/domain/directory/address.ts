import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { email } from "../kernel/input.ts";
import { isObject } from "../kernel/is-object.ts";
import type { Attributes } from "./resource.ts";

/** The address that a user logs in with: the primary e-mail, else a user name that is one, else the first e-mail. */
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
 * The address, where it is free. Two people whom the identity provider keeps may share one: the first of
 * them logs in with it, so it is null for the other.
 *
 * @throws {DomainError} already_exists where a member has it whom the identity provider does not keep,
 *   and who would be left behind under it.
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
  throw new DomainError("already_exists", "The e-mail address is another member's.", { field: "emails" });
}

const READ = sql<{ provisioned: boolean }>`
SELECT user_name IS NOT NULL AS provisioned FROM "user"
WHERE workspace_id = $1::uuid AND lower(email) = lower($2) AND id <> $3::uuid`;
