import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import type { Role } from "../kernel/scopes.ts";

/** A person's current row, locked. */
export type LockedUser = {
  id: string;
  email: string | null;
  name: string | null;
  role: Role;
  authEpoch: number;
  suspendedAt: Date | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  generation: number;
};

const COLUMNS = `id, email, name, role::text, auth_epoch AS "authEpoch", suspended_at AS "suspendedAt",
  hashed_password IS NOT NULL AS "hasPassword", second_factor_at IS NOT NULL AS "hasSecondFactor", generation`;

/**
 * Locks a person's row until the transaction ends. All changes of a person's tokens lock the person first,
 * which prevents deadlocks.
 *
 * @throws {DomainError} not_found, also for a deleted person.
 */
export async function lockUser({ run, ctx }: Transaction, userId: string): Promise<LockedUser> {
  const [user] = await run(LOCK, [ctx.workspaceId, userId]);
  if (user === undefined) throw createNotFoundError("user");
  return user;
}

/**
 * Locks a person who is about to lose access or a role. All owners are locked too, in a fixed order, so
 * that two concurrent changes can't remove the last two owners. Owners who have not accepted their
 * invitation don't count as remaining ones.
 *
 * @throws {DomainError} not_found; invalid_state for the last owner, or the last who can log in.
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
    throw new DomainError(
      "invalid_state",
      "A workspace needs at least one owner who can log in. Make somebody else an owner first.",
    );
  }
  return user;
}

/**
 * Locks all members of the workspace, in a fixed order, for changes of what sessions may do: whoever is logging in either
 * has a session by then, or begins it afterwards.
 */
export async function lockMembers({ run, ctx }: Transaction): Promise<void> {
  await run(LOCK_MEMBERS, [ctx.workspaceId]);
}

const LOCK = sql<LockedUser>`
SELECT ${COLUMNS} FROM "user"
WHERE workspace_id = $1::uuid AND id = $2::uuid AND deleted_at IS NULL FOR UPDATE`;

const LOCK_USER = sql<LockedUser>`
SELECT ${COLUMNS} FROM "user"
WHERE workspace_id = $1::uuid AND (id = $2::uuid OR role = 'owner') AND deleted_at IS NULL
ORDER BY id FOR UPDATE`;

const LOCK_MEMBERS = sql`SELECT id FROM "user" WHERE workspace_id = $1::uuid AND deleted_at IS NULL ORDER BY id FOR UPDATE`;
