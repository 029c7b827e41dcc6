import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Requires an identity provider, an admin or the system.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireDirectoryReader(ctx: Ctx): void {
  if (ctx.actor.type !== "scim") requireRole(ctx, "admin");
}

/**
 * Requires an identity provider or the system. People change members by other use cases.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireDirectoryWriter({ actor }: Ctx): void {
  if (actor.type === "scim" || actor.type === "system") return;
  throw new DomainError("forbidden", "Only an identity provider can do this.");
}
