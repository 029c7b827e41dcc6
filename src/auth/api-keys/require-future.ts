import type { Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { getTransactionTime } from "../../domain/kernel/get-transaction-time.ts";

/**
 * Holds an end, where one is given, to lie in the future.
 *
 * @throws {DomainError} validation_failed.
 */
export async function requireFuture(tx: Transaction, expiresAt: Date | null | undefined): Promise<void> {
  if (!expiresAt) return;
  if (expiresAt <= (await getTransactionTime(tx)))
    throw createFieldError("expiresAt", "must lie in the future");
}
