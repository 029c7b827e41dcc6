import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import type { Role } from "../kernel/scopes.ts";

/** A person's row as it is at this moment, locked. */
export type LockedUser = {
  id: string;
  email: string | null;
  name: string | null;
  role: Role;
  authEpoch: number;
  suspendedAt: Date | null;
  hasPassword: boolean;
  generation: number;
};

const COLUMNS = `id, email, name, role::text, auth_epoch AS "authEpoch", suspended_at AS "suspendedAt",
  hashed_password IS NOT NULL AS "hasPassword", generation`;

/**
 * Locks a person's row until the transaction ends. Whatever changes a person's tokens locks the person
 * first, so that two of them can't wait for each other.
 *
 * @throws {DomainError} not_found, also for who was deleted.
 */
export async function lockUser({ run, ctx }: Transaction, userId: string): Promise<LockedUser> {
  const [user] = await run(LOCK, [ctx.workspaceId, userId]);
  if (user === undefined) throw createNotFoundError("user");
  return user;
}

/**
 * Locks a person who is about to lose the workspace or the role. The owners are locked with him, in one
 * order, so that two such changes at once can't take the last two owners. Who was invited and has not come may
 * never come: he takes the place of nobody who has.
 *
 * @throws {DomainError} not_found; invalid_state for the last owner, and the last who can log in.
 */
export async function lockLeavingUser({ run, ctx }: Transaction, userId: string): Promise<LockedUser> {
  const locked = await run(LOCK_USER, [ctx.workspaceId, userId]);
  const user = locked.find(({ id }) => id === userId);
  if (user === undefined) throw createNotFoundError("user");
  const isAnotherLeft = locked.some(
    ({ id, role, suspendedAt, hasPassword }) =>
      id !== userId && role === "owner" && suspendedAt === null && (hasPassword || !user.hasPassword),
  );
  if (user.role === "owner" && user.suspendedAt === null && !isAnotherLeft) {
    throw new DomainError("invalid_state", "A workspace keeps at least one owner who can log in.");
  }
  return user;
}

const LOCK = sql<LockedUser>`
SELECT ${COLUMNS} FROM "user"
WHERE workspace_id = $1::uuid AND id = $2::uuid AND deleted_at IS NULL FOR UPDATE`;

const LOCK_USER = sql<LockedUser>`
SELECT ${COLUMNS} FROM "user"
WHERE workspace_id = $1::uuid AND (id = $2::uuid OR role = 'owner') AND deleted_at IS NULL
ORDER BY id FOR UPDATE`;
