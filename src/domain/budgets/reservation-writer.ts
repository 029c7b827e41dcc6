import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { type Batches, createBatches } from "../kernel/batches.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import type { BudgetOperation, OperationResult } from "./budget-operation.ts";
import { type AskedOperation, writeReservations } from "./write-reservations.ts";

/** Writes what this node's callers do with budgets. */
export type ReservationWriter = {
  /**
   * Runs an operation together with others of the workspace.
   *
   * @throws {DomainError} as the operation; unavailable if too many wait. Errors of the database.
   */
  run: (caller: Ctx, operation: BudgetOperation) => Promise<OperationResult>;
  /** Writes what is left. */
  close: () => Promise<void>;
};

/** Operations of one transaction. */
const BATCH = 200;
/** Sums and lines of one transaction: what they cost keeps others waiting. */
const MOST_LINES = 4000;
/** Operations of a workspace that wait. */
const MOST_WAITING = 5000;

/**
 * Combines what is done with the budgets of a workspace: one transaction at a time for each, so that callers don't
 * queue up for the rows with the sums, and no workspace takes more than one connection.
 */
export function createReservationWriter(): ReservationWriter {
  const queues = new Map<string, Queue>();
  let isClosed = false;

  function enter({ workspaceId }: Ctx): Queue {
    const queue = queues.get(workspaceId) ?? {
      pending: 0,
      batches: createBatches<AskedOperation, OperationResult>(BATCH, writeAll),
    };
    queues.set(workspaceId, queue);
    return queue;
  }

  return {
    run: async (caller, operation) => {
      if (isClosed) throw new DomainError("unavailable", "The server is stopping. Try again.");
      const queue = enter(caller);
      if (queue.pending >= MOST_WAITING) {
        throw new DomainError(
          "unavailable",
          "Too many reservations of this workspace at once. Try again in a few seconds.",
        );
      }
      queue.pending++;
      try {
        return await queue.batches.add({ caller, operation }, 0);
      } finally {
        queue.pending--;
        if (queue.pending === 0) queues.delete(caller.workspaceId);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(queues.values(), ({ batches }) => batches.close()));
    },
  };
}

type Queue = { pending: number; batches: Batches<AskedOperation, OperationResult> };

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
