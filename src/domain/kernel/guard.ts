import type { Actor, AgentCredential, UserActor } from "./actor.ts";
import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { hasScope } from "./has-scope.ts";
import { type Role, type Scope, isAtLeast } from "./scopes.ts";

/**
 * Lets pass an agent whose credential holds the scope, a person whose role covers it, and the service itself.
 *
 * @throws {DomainError} insufficient_scope for an agent, forbidden for anybody else.
 */
export function requireScope(ctx: Ctx, scope: Scope): void {
  if (hasScope(ctx, scope)) return;
  const { type } = ctx.actor;
  if (type === "agent") {
    throw new DomainError("insufficient_scope", `This needs the scope ${scope}.`, { scope });
  }
  throw new DomainError(
    "forbidden",
    type === "scim" ? "A SCIM token can't do this." : "Your role does not allow this.",
  );
}

/**
 * Lets pass a person of at least this role, and the service itself: what no bearer may ever do.
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
 * Lets pass who may act on a person of this role: nobody acts on somebody above himself. The service
 * itself and an identity provider may act on everybody.
 *
 * @throws {DomainError} forbidden.
 */
export function requireRank({ actor }: Ctx, role: Role): void {
  if (actor.type !== "user" || isAtLeast(actor.role, role)) return;
  throw new DomainError("forbidden", `Only people with the role ${role} or above can do this.`);
}

/**
 * Lets pass a person who is logged in, whatever the role.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireUser({ actor }: Ctx): UserActor {
  if (actor.type === "user" && actor.session !== null) return actor;
  throw new DomainError("forbidden", "Only a person who is logged in can do this.");
}

/**
 * Lets pass an agent, whatever its scopes.
 *
 * @throws {DomainError} forbidden for anybody else.
 */
export function requireAgent({ actor }: Ctx): Extract<Actor, { type: "agent" }> {
  if (actor.type === "agent") return actor;
  throw new DomainError("forbidden", "Only an agent can do this.");
}

/**
 * Lets pass a person of at least this role who gave the password within the last 20 minutes, and the
 * service itself: what makes or ends credentials, and what changes who may do what.
 *
 * @throws {DomainError} forbidden; sudo_required.
 */
export function requireSudo(ctx: Ctx, least: Role): void {
  requireRole(ctx, least);
  if (ctx.actor.type !== "user" || ctx.actor.session?.isSudo === true) return;
  throw new DomainError("sudo_required", "Enter your password again to do this.");
}

/**
 * The API key that an agent came with.
 *
 * @throws {DomainError} api_key_required for any other caller.
 */
export function requireApiKey({ actor }: Ctx): AgentCredential {
  if (actor.type === "agent" && actor.credential.kind === "api_key") return actor.credential;
  throw new DomainError("api_key_required", "Only an API key can mint access tokens.");
}
