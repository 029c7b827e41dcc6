import type { Transaction } from "../../domain/context.ts";
import { invalid } from "../../domain/errors.ts";
import { nowOf } from "../../domain/now-of.ts";

/**
 * Holds an end, where one is given, to lie in the future.
 *
 * @throws {DomainError} validation_failed.
 */
export async function requireFuture(tx: Transaction, expiresAt: Date | null | undefined): Promise<void> {
  if (!expiresAt) return;
  if (expiresAt <= (await nowOf(tx))) throw invalid("expiresAt", "must lie in the future");
}
