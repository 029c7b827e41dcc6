import type { Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";

/**
 * Checks that `expiresAt`, if given, is later than PostgreSQL's now.
 *
 * @throws {DomainError} validation_failed.
 */
export async function requireFuture(tx: Transaction, expiresAt: Date | null | undefined): Promise<void> {
  if (!expiresAt) return;
  if (expiresAt <= (await tx.now())) throw createFieldError("expiresAt", "must be in the future");
}
