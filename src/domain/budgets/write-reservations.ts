import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import {
  type FoundKey,
  type KeyClaim,
  findIdempotencyKeys,
  keepIdempotencyKeys,
} from "../kernel/idempotency-batch.ts";
import { requireValidCredential } from "../kernel/require-valid-credential.ts";
import {
  type BudgetOperation,
  type OperationResult,
  runOperation,
  showReservation,
} from "./budget-operation.ts";
import type { Ledger } from "./ledger.ts";
import { openLedger, readLedgerState, writeLedger } from "./stored-ledger.ts";

/** An operation, and who asked for it. */
export type AskedOperation = { caller: Ctx; operation: BudgetOperation };

/**
 * Runs operations on the budgets of one workspace in their order, in one transaction. Nothing else writes sums, except
 * that a new limit of a budget is written to its current ones.
 *
 * @returns for each operation its result or its error. Errors of one don't affect the others.
 * @throws for what affects all of them: then nothing was written.
 */
export async function writeReservations(
  ctx: Ctx,
  asked: readonly AskedOperation[],
): Promise<PromiseSettledResult<OperationResult>[]> {
  const operations = asked.map(({ operation }) => operation);
  return ctx.transaction(async (tx) => {
    const [state, keys] = await Promise.all([
      readLedgerState(tx, operations),
      findIdempotencyKeys(tx, asked.flatMap(toKeyClaim)),
    ]);
    const reservationIds = [...keys.values()].flatMap((key) => ("subjectId" in key ? [key.subjectId] : []));
    const ledger = await openLedger(tx, state, { operations, reservationIds });
    const results = asked.map((one) => runAsked(ledger, findKey(keys, one), one));
    const made = asked.filter(
      ({ caller }, index) => results[index]?.status === "fulfilled" && !keys.has(caller),
    );
    await Promise.all([writeLedger(tx, ledger), keepIdempotencyKeys(tx, made.flatMap(toKeyClaim))]);
    const { events, audit } = ledger;
    if (events.length + audit.length > 0) append(tx, { events, audit });
    return results;
  });
}

function findKey(keys: ReadonlyMap<Ctx, FoundKey>, asked: AskedOperation): FoundKey | undefined {
  return toKeyClaim(asked).length === 0 ? undefined : keys.get(asked.caller);
}

function runAsked(
  ledger: Ledger,
  key: FoundKey | undefined,
  { caller, operation }: AskedOperation,
): PromiseSettledResult<OperationResult> {
  try {
    requireValidCredential(caller);
    if (key !== undefined && "error" in key) throw key.error;
    const value =
      key === undefined ? runOperation(ledger, operation) : showReservation(ledger, key.subjectId);
    return { status: "fulfilled", value };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

function toKeyClaim({ caller, operation }: AskedOperation): KeyClaim[] {
  const isKept = operation.kind === "reserve" && operation.isRepeatable;
  return isKept ? [{ caller, subjectId: operation.id }] : [];
}
