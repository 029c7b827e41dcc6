import type { SignInDomain, SignInProvider } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireRole } from "../../domain/kernel/guard.ts";

/**
 * Reads the provider at which the workspace's people sign in, or null.
 *
 * @throws {DomainError} forbidden below admin.
 */
export async function readSignInProvider(ctx: Ctx): Promise<SignInProvider | null> {
  requireRole(ctx, "admin");
  return ctx.db.signInProvider.findFirst();
}

/**
 * Lists the workspace's domains of email addresses by name, with those that are not verified.
 *
 * @throws {DomainError} forbidden below admin.
 */
export async function listSignInDomains(ctx: Ctx): Promise<SignInDomain[]> {
  requireRole(ctx, "admin");
  return ctx.db.signInDomain.findMany({ orderBy: [{ domain: "asc" }] });
}
