import type { ExecutionStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which an execution can be ended by its agent, and resolved by a person. */
export const EXECUTION_STATES = {
  end: ["started"],
  resolve: ["unknown", "failed", "unreported"],
} as const satisfies Record<string, readonly ExecutionStatus[]>;

/**
 * Checks that an execution's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function requireExecutionState(
  { status }: { status: ExecutionStatus },
  act: keyof typeof EXECUTION_STATES,
): void {
  const allowed: readonly ExecutionStatus[] = EXECUTION_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The execution is ${status}.`, { currentStatus: status, allowed });
}
