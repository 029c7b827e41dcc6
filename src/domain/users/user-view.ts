import type { Table } from "../../db/columns.ts";
import type { PageRow } from "../kernel/page.ts";
import type { Role } from "../kernel/scopes.ts";

/** A member as other members see them, without secrets. */
export type UserView = {
  id: string;
  email: string | null;
  /** The user name at the identity provider. */
  userName: string | null;
  name: string | null;
  role: Role;
  confirmedAt: Date | null;
  suspendedAt: Date | null;
  lastSeenAt: Date | null;
  hasPassword: boolean;
  /** When the person added a second factor; null without one. */
  secondFactorAt: Date | null;
  generation: number;
  createdAt: Date;
  updatedAt: Date;
};

/** The statuses of members. `invited`: has not set a password yet. */
export const USER_STATUSES = ["active", "suspended", "invited"] as const;

export type UserStatus = (typeof USER_STATUSES)[number];

/** Members of workspaces, as a table for pages. */
export const USER_VIEWS: Table = {
  name: `(SELECT *, hashed_password IS NOT NULL AS has_password FROM "user" WHERE deleted_at IS NULL)`,
  fields: [
    ...["id", "email", "userName", "name", "role", "confirmedAt", "suspendedAt", "lastSeenAt"],
    ...["hasPassword", "secondFactorAt", "generation", "createdAt", "updatedAt"],
  ],
};

export function getUserStatus({ suspendedAt, hasPassword }: PageRow<UserView> | UserView): UserStatus {
  if (suspendedAt !== null) return "suspended";
  return hasPassword ? "active" : "invited";
}
