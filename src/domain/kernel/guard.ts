import type { Actor, AgentCredential, UserActor } from "./actor.ts";
import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { hasScope } from "./has-scope.ts";
import { type Role, type Scope, isAtLeast } from "./scopes.ts";

/**
 * Requires a scope: of an agent's credential, or covered by a person's role. Allows the system.
 *
 * @throws {DomainError} insufficient_scope for an agent, forbidden for anybody else.
 */
export function requireScope(ctx: Ctx, scope: Scope): void {
  if (hasScope(ctx, scope)) return;
  const { type } = ctx.actor;
  if (type === "agent") {
    throw new DomainError("insufficient_scope", `This requires the scope ${scope}.`, { scope });
  }
  throw new DomainError(
    "forbidden",
    type === "scim" ? "A SCIM token can't do this." : "Your role does not allow this.",
  );
}

/**
 * Requires a person with at least this role, or the system. For what no bearer may do.
 *
 * @throws {DomainError} forbidden.
 */
export function requireRole(ctx: Ctx, least: Role): void {
  const { actor } = ctx;
  if (actor.type === "system") return;
  if (actor.type === "user" && isAtLeast(actor.role, least)) return;
  throw new DomainError("forbidden", `Only people with the role ${least} or above can do this.`);
}

/**
 * Requires that the caller may act on a person with this role: people can't act on higher roles. The system
 * and identity providers may act on everybody.
 *
 * @throws {DomainError} forbidden.
 */
export function requireRank({ actor }: Ctx, role: Role): void {
  if (actor.type !== "user" || isAtLeast(actor.role, role)) return;
  throw new DomainError("forbidden", `Only people with the role ${role} or above can do this.`);
}

/**
 * Requires a logged-in person with any role.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireUser({ actor }: Ctx): UserActor {
  if (actor.type === "user" && actor.session !== null) return actor;
  throw new DomainError("forbidden", "Only people can do this. Log in first.");
}

/**
 * Requires an agent with any scopes.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireAgent({ actor }: Ctx): Extract<Actor, { type: "agent" }> {
  if (actor.type === "agent") return actor;
  throw new DomainError("forbidden", "Only an agent can do this.");
}

/**
 * Requires a person with at least this role who entered the password within the last 20 minutes, or the
 * system. For creating and revoking credentials, and for changes of rights.
 *
 * @throws {DomainError} forbidden; sudo_required.
 */
export function requireSudo(ctx: Ctx, least: Role): void {
  requireRole(ctx, least);
  if (ctx.actor.type !== "user" || ctx.actor.session?.isSudo === true) return;
  throw new DomainError("sudo_required", "Enter your password again to do this.");
}

/**
 * Requires, of a person whose workspace demands a second factor, that they have one. APIs and sockets ask this before
 * anything else.
 *
 * @throws {DomainError} mfa_required.
 */
export function requireFactor({ actor }: Pick<Ctx, "actor">): void {
  if (actor.type !== "user" || actor.session?.needsFactor !== true) return;
  throw new DomainError(
    "mfa_required",
    "Your workspace requires a second factor. Add one at /settings/security first.",
  );
}

/**
 * Requires an API key and returns it.
 *
 * @throws {DomainError} api_key_required for any other caller.
 */
export function requireApiKey({ actor }: Ctx): AgentCredential {
  if (actor.type === "agent" && actor.credential.kind === "api_key") return actor.credential;
  throw new DomainError("api_key_required", "Only an API key can mint access tokens.");
}
