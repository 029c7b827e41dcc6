import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { hasScope } from "../kernel/has-scope.ts";

/**
 * Requires the right to read entities. Whoever may write them may also read them.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read` or `gateway:delegate`.
 */
export function requireEntityReader(ctx: Ctx): void {
  if (!hasScope(ctx, "gateway:delegate")) requireScope(ctx, "gateway:read");
}
