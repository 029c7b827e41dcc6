import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { BudgetOperation, OperationResult } from "./budget-operation.ts";
import { type AskedOperation, writeReservations } from "./write-reservations.ts";

/** Sums and lines of one transaction: what they cost keeps others waiting. */
const MOST_LINES = 4000;

/**
 * Runs an operation on the budgets of the caller's workspace, in one transaction with others that this node's
 * callers ask for at the same time: they don't queue up for the rows with the sums.
 *
 * @throws {DomainError} as the operation; unavailable if too many wait. Errors of the database.
 */
export async function runBudgetOperation(caller: Ctx, operation: BudgetOperation): Promise<OperationResult> {
  return caller.services.reservations.add(caller.workspaceId, { caller, operation }, writeAll);
}

/** Writes operations of one workspace, fewer at once if it has many budgets. */
async function writeAll(asked: readonly AskedOperation[]): Promise<PromiseSettledResult<OperationResult>[]> {
  const [first] = asked;
  if (first === undefined) return [];
  const { services, workspaceId, now } = first.caller;
  const ctx = openCtx(services, systemCaller(workspaceId, "budgets"), now);
  const size = Math.max(1, Math.floor(MOST_LINES / Math.max(1, services.budgets.count(workspaceId))));
  const results: PromiseSettledResult<OperationResult>[] = [];
  for (let start = 0; start < asked.length; start += size) {
    results.push(...(await writePart(ctx, asked.slice(start, start + size))));
  }
  return results;
}

/** If the database rejects some operations, writes their halves, so that none takes others with it. */
async function writePart(
  ctx: Ctx,
  asked: readonly AskedOperation[],
): Promise<PromiseSettledResult<OperationResult>[]> {
  try {
    return await writeReservations(ctx, asked);
  } catch (reason) {
    const isRejected = ["unknown", "unstorable"].includes(getDatabaseErrorKind(reason));
    if (!isRejected || asked.length === 1) return asked.map(() => ({ status: "rejected", reason }));
    const half = Math.ceil(asked.length / 2);
    const first = await writePart(ctx, asked.slice(0, half));
    return [...first, ...(await writePart(ctx, asked.slice(half)))];
  }
}
