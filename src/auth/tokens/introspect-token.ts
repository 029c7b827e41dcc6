import type { Ctx } from "../../domain/kernel/context.ts";
import { requireScope } from "../../domain/kernel/guard.ts";
import { type KnownToken, findToken } from "./find-token.ts";

/**
 * Describes a valid token of the workspace; null for anything else. A credential may always ask about
 * itself.
 *
 * @throws {DomainError} insufficient_scope without `tokens:introspect`; forbidden for people below admin.
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
export async function introspectToken(ctx: Ctx, token: string): Promise<KnownToken | null> {
  const found = await findToken(ctx, token);
  const isOwn = ctx.actor.type === "agent" && found?.id === ctx.actor.credential.id;
  if (!isOwn) requireScope(ctx, "tokens:introspect");
  return found?.isActive === true ? found : null;
}
