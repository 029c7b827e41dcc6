import type { Execution } from "../../db/generated/client.ts";
import { DomainError } from "../kernel/errors.ts";
import type { LockedExecution } from "./lock-execution.ts";

/** Creates the error for another fence, or for a lease that is over. */
export function createLeaseError({ status }: Pick<Execution, "status">): DomainError {
  const message = `You don't hold this execution, or not any more: it is ${status}.`;
  return new DomainError("lease_lost", message, { currentStatus: status });
}

/** Whether its agent has let the lease of an execution run out. */
export function isLeaseOver({ execution, now }: LockedExecution): boolean {
  return execution.leaseExpiresAt <= now;
}
