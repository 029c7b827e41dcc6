import type { Table } from "../../db/columns.ts";
import type { PageRow } from "../kernel/page.ts";
import type { Role } from "../kernel/scopes.ts";

/** A member of the workspace as the others see him: nothing of it opens anything. */
export type UserView = {
  id: string;
  email: string | null;
  /** What the identity provider calls him. */
  userName: string | null;
  name: string | null;
  role: Role;
  confirmedAt: Date | null;
  suspendedAt: Date | null;
  lastSeenAt: Date | null;
  hasPassword: boolean;
  generation: number;
  createdAt: Date;
  updatedAt: Date;
};

/** Every way in which a member can stand: `invited` has not set a password yet. */
export const USER_STATUSES = ["active", "suspended", "invited"] as const;

/** One of {@link USER_STATUSES}. */
export type UserStatus = (typeof USER_STATUSES)[number];

/** The members of workspaces, read as a table. */
export const USER_VIEWS: Table = {
  name: `(SELECT *, hashed_password IS NOT NULL AS has_password FROM "user" WHERE deleted_at IS NULL)`,
  fields: [
    ...["id", "email", "userName", "name", "role", "confirmedAt", "suspendedAt", "lastSeenAt"],
    ...["hasPassword", "generation", "createdAt", "updatedAt"],
  ],
};

/** How a member stands. */
export function getUserStatus({ suspendedAt, hasPassword }: PageRow<UserView> | UserView): UserStatus {
  if (suspendedAt !== null) return "suspended";
  return hasPassword ? "active" : "invited";
}
