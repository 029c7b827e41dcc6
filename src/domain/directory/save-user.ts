import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import type { Attributes } from "./resource.ts";

/** A user's attributes as stored: columns, rows for addresses, and JSON for the others. */
export type StoredUser = {
  userName: string | null;
  externalId: string | null;
  name: string | null;
  active: boolean;
  emails: Attributes[];
  profile: Attributes;
};

/** Splits a user's attributes for storage. Without `active`, a user is active. */
export function toStoredUser(attributes: Attributes): StoredUser {
  const { userName, externalId, displayName, active, emails, groups: _groups, ...profile } = attributes;
  return {
    userName: toText(userName),
    externalId: externalId === "" ? null : toText(externalId),
    name: toText(displayName),
    active: active !== false,
    emails: Array.isArray(emails) ? emails.filter(isObject) : [],
    profile,
  };
}

/** Replaces the stored addresses of a user. */
export async function saveEmails(
  { db, ctx }: Transaction,
  userId: string,
  emails: Attributes[],
): Promise<void> {
  await db.userEmail.deleteMany({ where: { userId } });
  if (emails.length === 0) return;
  await db.userEmail.createMany({
    data: emails.map(({ value, type, display, primary }, place) => ({
      workspaceId: ctx.workspaceId,
      userId,
      place,
      value: toText(value),
      type: toText(type),
      display: toText(display),
      primary: typeof primary === "boolean" ? primary : null,
    })),
  });
}

/**
 * Writes a user in a transaction.
 *
 * @throws {DomainError} already_exists if another member has the user name or the address.
 */
export async function writeUniqueUser<Result>(
  write: () => Promise<Result>,
  isSecond = false,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    // Retries once: another user has just been given the address, so this one gets none.
    if (!isSecond) return writeUniqueUser(write, true);
    throw new DomainError("already_exists", "Another member has this user name or address.", {
      field: "userName",
    });
  }
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
