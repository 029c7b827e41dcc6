import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";

/**
 * Lets pass an identity provider, an admin and the service itself.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireDirectoryReader(ctx: Ctx): void {
  if (ctx.actor.type !== "scim") requireRole(ctx, "admin");
}

/**
 * Lets pass an identity provider and the service itself: people are changed by the verbs for people.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireDirectoryWriter({ actor }: Ctx): void {
  if (actor.type === "scim" || actor.type === "system") return;
  throw new DomainError("forbidden", "Only an identity provider can do this.");
}
