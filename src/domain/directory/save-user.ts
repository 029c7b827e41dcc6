import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { isObject } from "../kernel/is-object.ts";
import type { Attributes } from "./resource.ts";

/** A user's attributes as they are kept: columns, rows for the addresses, JSON for the rest. */
export type StoredUser = {
  userName: string | null;
  externalId: string | null;
  name: string | null;
  active: boolean;
  emails: Attributes[];
  profile: Attributes;
};

/** Takes a user's attributes apart; without `active` a user is. */
export function toStoredUser(attributes: Attributes): StoredUser {
  const { userName, externalId, displayName, active, emails, groups: _groups, ...profile } = attributes;
  return {
    userName: toText(userName),
    externalId: toText(externalId),
    name: toText(displayName),
    active: active !== false,
    emails: Array.isArray(emails) ? emails.filter(isObject) : [],
    profile,
  };
}

/** Writes a user's addresses anew. */
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
 * Writes a user, in a transaction of its own.
 *
 * @throws {DomainError} already_exists where another member has the user name or the address.
 */
export async function writeUniqueUser<Result>(
  write: () => Promise<Result>,
  isSecond = false,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    // An address that somebody else was given at the same moment is left to him.
    if (!isSecond) return writeUniqueUser(write, true);
    throw new DomainError("already_exists", "The user name, or the address, is another member's.", {
      field: "userName",
    });
  }
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
